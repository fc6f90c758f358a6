import { chakra, Flex } from '@chakra-ui/react';
import { useKeyUsage } from '../../../lib/gateway/useKeyUsage';
import { keysMessages } from '../gateway-keys.messages';
import type { ApiKeyRowFragment } from '../generated/gateway-keys';

const messages = keysMessages.list;
const numberFormat = new Intl.NumberFormat('pt-BR');

const SummaryItem = ({ label, value }: { label: string; value: string }) => (
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
      <SummaryItem label={messages.total} value={numberFormat.format(usageCount)} />
      <SummaryItem label={messages.mostUsed} value={mostUsed?.name ?? messages.none} />
    </Flex>
  );
}
