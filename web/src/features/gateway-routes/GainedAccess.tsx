import { Flex } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { routesMessages } from './gateway-routes.messages';
import { useKeysWithPermissionsQuery } from './generated/gateway-routes';
import { findKeysThatGainAccess, type ImportRow } from './import/importSelection';

const { importing: messages } = routesMessages;
const MAX_NAMES = 5;

/** Lists the API keys that can call a selected route only after the import. Each opening of the dialog reads them. */
export function GainedAccess({ rows }: { rows: readonly ImportRow[] }) {
  const { data, error } = useKeysWithPermissionsQuery({ fetchPolicy: 'network-only' });
  const keys = findKeysThatGainAccess(rows, data?.apiKeys ?? []);
  const names = keys.slice(0, MAX_NAMES).map(({ name }) => name);
  const otherCount = keys.length - names.length;
  return (
    <Flex as="p" align="center" gap="2" color="orange.fg" role="status">
      {!data && error && rows.some(({ selected }) => selected) && messages.keysUnknown}
      {keys.length > 0 && (
        <>
          <KeyRound aria-hidden size={16} />
          <span>
            <strong>{messages.keysGain(keys.length)}</strong>: {names.join(', ')}
            {otherCount > 0 && ` ${messages.moreKeys(otherCount)}`}
          </span>
        </>
      )}
    </Flex>
  );
}
