import { describeRefusal } from '../../lib/gateway/refusal.messages';
import type { ChipColor } from '../../ui/cells/Chip';
import { requestsMessages as messages } from './gateway-requests.messages';

interface Outcome {
  status: number;
  reason?: string | null;
}

interface LoggedRequest extends Outcome {
  at: string;
  requestId: string;
  weight: number;
}

/** Status of a request whose client closed the connection before the response. */
const CLIENT_GONE = 499;

export const chooseStatusColor = (status: number): ChipColor => {
  if (status === CLIENT_GONE) return 'neutral';
  if (status >= 500) return 'red';
  return status >= 400 ? 'orange' : 'green';
};

/** Says why a request failed: the edge refused it, the client left, or the service sent the status. */
export function explainFailure({ status, reason }: Outcome): string | undefined {
  if (reason) return describeRefusal(reason);
  if (status === CLIENT_GONE) return messages.clientGone;
  return status >= 400 ? messages.serviceResponse : undefined;
}

/** Gives rows React keys. Repeated ids are numbered from the oldest row, so that newer rows do not change the keys. */
export function addRowKeys<Row extends LoggedRequest>(rows: readonly Row[]): { key: string; row: Row }[] {
  const countByIdentity = new Map<string, number>();
  return rows
    .toReversed()
    .map((row) => {
      const identity = `${row.at} ${row.requestId}`;
      const occurrence = countByIdentity.get(identity) ?? 0;
      countByIdentity.set(identity, occurrence + 1);
      return { key: `${identity} ${occurrence}`, row };
    })
    .toReversed();
}

/** The number of requests that the rows represent. */
export const sumWeights = (rows: readonly LoggedRequest[]): number => rows.reduce((sum, { weight }) => sum + weight, 0);
