import { metricsMessages as messages } from './gateway-metrics.messages';

const integer = new Intl.NumberFormat('pt-BR');
const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

export const formatCount = (value: number): string => integer.format(value);

/** Formats a duration: `12 ms`, `1,5 s`, or a dash without a value. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms == null) return messages.cards.none;
  return ms < 1000
    ? messages.history.milliseconds(oneDecimal.format(ms))
    : messages.history.seconds(oneDecimal.format(ms / 1000));
}
