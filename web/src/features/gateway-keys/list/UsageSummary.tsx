import { chakra, Flex } from '@chakra-ui/react';
import { useKeyUsage } from '../../../lib/gateway/useKeyUsage';
import { keysMessages } from '../gateway-keys.messages';
import type { ApiKeyRowFragment } from '../generated/gateway-keys';

const messages = keysMessages.list;
const number = new Intl.NumberFormat('pt-BR');

const Sum = ({ label, value }: { label: string; value: string }) => (
  <span>
    {label}:{' '}
    <chakra.strong color="fg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
      {value}
    </chakra.strong>
  </span>
);

interface UsageSummaryProps {
  keys: readonly ApiKeyRowFragment[];
  /** If true, `keys` has only the loaded pages, and the server computes the sums. */
  isPaged: boolean;
}

/** The requests of all keys, and the key with the most requests. */
export function UsageSummary({ keys, isPaged }: UsageSummaryProps) {
  const { usageCount, mostUsed } = useKeyUsage(keys, isPaged);
  return (
    <Flex as="p" wrap="wrap" rowGap="1" columnGap="6" mb="4" color="fg.muted">
      <Sum label={messages.total} value={number.format(usageCount)} />
      <Sum label={messages.mostUsed} value={mostUsed?.name ?? messages.none} />
    </Flex>
  );
}
