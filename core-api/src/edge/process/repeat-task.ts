import type { Logger } from 'pino';
import { databaseErrorMessage } from '../config-sync/edge-store';

export interface RepeatOptions {
  /** From the end of a run to the beginning of the next. */
  intervalMs: number;
  /** For the log, as in "storing usage failed". */
  name: string;
  log: Pick<Logger, 'warn' | 'info'>;
  isStopping(): boolean;
}

/**
 * Runs a task periodically. The first failure of a series is logged, and the end of the series.
 * @param task resolves to false if nothing was due, for example in a pause after a failure
 */
export function repeatTask(task: () => Promise<unknown>, { intervalMs, name, log, isStopping }: RepeatOptions): void {
  let failing = false;
  const run = async () => {
    try {
      const wasDue = (await task()) !== false;
      if (wasDue && failing) log.info(`${name} works again`);
      if (wasDue) failing = false;
    } catch (error) {
      const reason = databaseErrorMessage(error);
      if (!failing) log.warn(reason ? { reason } : { err: error }, `${name} failed`);
      failing = true;
    }
    if (!isStopping()) setTimeout(run, intervalMs);
  };
  void run();
}
