import { formatDuration } from '../../lib/format/duration';
import { metricsMessages as messages } from './gateway-metrics.messages';

const integerFormat = new Intl.NumberFormat('pt-BR');

export const formatCount = (value: number): string => integerFormat.format(value);

/** Formats a duration, or returns a dash if there is none. */
export const formatOptionalDuration = (ms: number | null | undefined): string =>
  ms == null ? messages.cards.none : formatDuration(ms);
