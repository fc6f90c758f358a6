import { Dialog } from '@chakra-ui/react';
import { useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Modal } from '../../ui/dialog/Modal';
import { allCommands, type Command, matching } from './commands';
import { usePaletteEntitiesQuery } from './generated/palette';
import styles from './Palette.module.css';
import { paletteMessages as messages } from './palette.messages';

/** Finds screens, actions and entities by name. The focus stays in the field; arrows choose, Enter goes. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { data } = usePaletteEntitiesQuery({ fetchPolicy: 'no-cache' });
  const commands = useMemo(() => allCommands(data), [data]);
  const results = useMemo(() => matching(commands, query), [commands, query]);
  const optionId = (index: number) => `${listId}${index}`;

  const go = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void navigate(command.to);
  };
  const move = (by: number) => setActive((before) => (before + by + results.length) % Math.max(results.length, 1));

  return (
    <Modal title={messages.title} width={600} initialFocus={input} onClose={onClose}>
      <Dialog.Body className={styles.body}>
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-label={messages.label}
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={results.length > 0 ? optionId(active) : undefined}
          placeholder={messages.placeholder}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            const keys: Record<string, () => void> = {
              ArrowDown: () => move(1),
              ArrowUp: () => move(-1),
              Enter: () => go(results[active]),
            };
            const act = keys[event.key];
            if (!act) return;
            event.preventDefault();
            act();
          }}
        />
        <div id={listId} className={styles.list} role="listbox" aria-label={messages.title}>
          {results.map((command, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys act on the field, which keeps the focus
            <div
              key={command.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => go(command)}
              onMouseMove={() => setActive(index)}
            >
              <span>{command.label}</span>
              <small>{messages.kinds[command.kind]}</small>
            </div>
          ))}
        </div>
        <p className={results.length === 0 ? styles.empty : styles.count} role="status">
          {results.length === 0 ? messages.empty(query) : messages.results(results.length)}
        </p>
      </Dialog.Body>
    </Modal>
  );
}
