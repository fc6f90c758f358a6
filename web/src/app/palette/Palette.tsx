import { Combobox, createListCollection } from '@ark-ui/react/combobox';
import { chakra, Dialog, Flex, Grid, Input } from '@chakra-ui/react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAccess } from '../../lib/session/access';
import { Modal } from '../../ui/dialog/Modal';
import { toggleTheme } from '../theme';
import { type Command, findMatches, listCommands, listSubdomainCommands } from './commands';
import { usePaletteEntitiesQuery, usePaletteSubdomainsQuery } from './generated/palette';
import { paletteMessages as messages } from './palette.messages';

const itemToValue = ({ id }: Command): string => id;
const itemToString = ({ label }: Command): string => label;

/** The commands that match the typed text, among them the entities that the server finds. */
function useMatches(query: string): Command[] {
  const { isLimited, canWrite, isAdministrator } = useAccess();
  const search = useDeferredValue(query.trim());
  // The cache would keep the results of each typed text.
  const entities = usePaletteEntitiesQuery({
    variables: { search, isLimited },
    skip: search === '',
    fetchPolicy: 'no-cache',
  });
  const subdomains = usePaletteSubdomainsQuery({
    variables: { search },
    skip: isLimited || search === '',
    fetchPolicy: 'no-cache',
  });
  // The last response stays until the next response arrives, so that the results do not flicker; `findMatches` drops
  // results that no longer match.
  const data = entities.data ?? entities.previousData;
  const subdomainData = subdomains.data ?? subdomains.previousData;
  const commands = useMemo(
    () => [...listCommands(data, { isLimited, canWrite, isAdministrator }), ...listSubdomainCommands(subdomainData)],
    [data, subdomainData, isLimited, canWrite, isAdministrator],
  );
  return useMemo(() => findMatches(commands, query), [commands, query]);
}

const Result = ({ command }: { command: Command }) => (
  <Combobox.Item item={command} asChild>
    <Flex
      align="center"
      justify="space-between"
      gap="4"
      minH="44px"
      px="3.5"
      borderRadius="sm"
      cursor="pointer"
      _highlighted={{ bg: 'bg.subtle', boxShadow: 'inset 3px 0 {colors.brand.solid}' }}
    >
      <Combobox.ItemText asChild>
        <chakra.span minW="0" truncate>
          {command.label}
        </chakra.span>
      </Combobox.ItemText>
      <chakra.small flex="none">{messages.kinds[command.kind]}</chakra.small>
    </Flex>
  </Combobox.Item>
);

/**
 * Finds screens, actions and entities by name. The arrow keys move the highlight, and Enter opens the result. The focus
 * stays in the field.
 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [highlightedId, setHighlightedId] = useState<string | null>(null);
  const results = useMatches(query);
  const collection = useMemo(() => createListCollection({ items: results, itemToValue, itemToString }), [results]);
  // The first result is highlighted, unless the user has highlighted another result that is still listed.
  const activeId = results.some(({ id }) => id === highlightedId) ? highlightedId : (results[0]?.id ?? null);

  const runCommand = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    if (command.to === undefined) toggleTheme();
    else void navigate(command.to);
  };

  return (
    <Modal title={messages.title} width={600} initialFocus={input} onClose={onClose}>
      <Dialog.Body>
        <Combobox.Root
          collection={collection}
          open
          disableLayer
          closeOnSelect={false}
          selectionBehavior="preserve"
          value={[]}
          inputValue={query}
          onInputValueChange={({ inputValue, reason }) => {
            if (reason !== 'input-change') return;
            setQuery(inputValue);
            setHighlightedId(null);
          }}
          highlightedValue={activeId}
          onHighlightChange={({ highlightedValue }) => setHighlightedId(highlightedValue)}
          onSelect={({ itemValue }) => runCommand(results.find(({ id }) => id === itemValue))}
          asChild
        >
          <Grid gap="2">
            <Combobox.Input asChild>
              <Input
                ref={input}
                height="44px"
                fontSize="16px"
                aria-label={messages.label}
                placeholder={messages.placeholder}
              />
            </Combobox.Input>
            <Combobox.Content aria-label={messages.title} tabIndex={-1}>
              {results.map((command) => (
                <Result key={command.id} command={command} />
              ))}
            </Combobox.Content>
            <chakra.p
              {...(results.length === 0 ? { py: '4', px: '3.5', color: 'fg.muted' } : { srOnly: true })}
              role="status"
            >
              {results.length === 0 ? messages.empty(query) : messages.results(results.length)}
            </chakra.p>
          </Grid>
        </Combobox.Root>
      </Dialog.Body>
    </Modal>
  );
}
