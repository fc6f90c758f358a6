import type { UsageRange } from '../../generated/graph';
import { EmptyState } from '../../ui/EmptyState';
import { failureText } from '../../ui/failure';
import { ListState } from '../../ui/ListState';
import { useAddress } from '../../ui/useAddress';
import { metricsMessages } from './gateway-metrics.messages';
import { type KeyUsageQuery, useUsageHistoryQuery } from './generated/gateway-metrics';
import { HistoryChart } from './HistoryChart';
import { pointsOf } from './history';
import styles from './metrics.module.css';

const { history: messages, failure } = metricsMessages;
const ranges: readonly UsageRange[] = ['day', 'week', 'month'];

interface HistoryProps {
  keys: KeyUsageQuery['apiKeys'];
  pollInterval: number;
  skipPollAttempt: () => boolean;
}

/** Requests and errors over time, of all keys or of one; period and key are in the address. */
export function History({ keys, ...polling }: HistoryProps) {
  const { params, change } = useAddress();
  const range = ranges.find((one) => one === params.get('periodo')) ?? 'day';
  const keyId = params.get('chave') ?? '';
  const choose = (name: string, value: string) => change((after) => after.set(name, value), { replace: true });
  const {
    data: fresh,
    previousData,
    loading,
    error,
    refetch,
  } = useUsageHistoryQuery({
    variables: { range },
    fetchPolicy: 'no-cache',
    ...polling,
  });
  const history = (fresh ?? previousData)?.usageHistory;
  const points = history ? pointsOf(history.series, keyId) : [];

  return (
    <section className={styles.section}>
      <header className={styles.head}>
        <h2>{messages.title}</h2>
        <div className={styles.controls}>
          <label>
            {messages.range}
            <select value={range} onChange={(event) => choose('periodo', event.target.value)}>
              {ranges.map((one) => (
                <option key={one} value={one}>
                  {messages.ranges[one]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {messages.key}
            <select value={keyId} onChange={(event) => choose('chave', event.target.value)}>
              <option value="">{messages.allKeys}</option>
              {keys.map(({ _id, name }) => (
                <option key={_id} value={_id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      </header>
      <ListState
        ready={history !== undefined}
        loading={loading}
        failure={error ? failureText(error, failure.history) : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        {history && points.some(({ requests }) => requests > 0) ? (
          <HistoryChart points={points} range={history.range} />
        ) : (
          <EmptyState text={messages.empty} />
        )}
      </ListState>
    </section>
  );
}
