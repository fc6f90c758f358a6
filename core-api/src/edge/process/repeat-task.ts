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
 * @returns runs the task at once, or again as soon as the current run ends
 */
export function repeatTask(
  task: () => Promise<unknown>,
  { intervalMs, name, log, isStopping }: RepeatOptions,
): () => void {
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let runAgain = false;
  const run = async () => {
    timer = undefined;
    runAgain = false;
    try {
      const wasDue = (await task()) !== false;
      if (wasDue && failing) log.info(`${name} works again`);
      if (wasDue) failing = false;
    } catch (error) {
      const reason = databaseErrorMessage(error);
      if (!failing) log.warn(reason ? { reason } : { err: error }, `${name} failed`);
      failing = true;
    }
    if (!isStopping()) timer = setTimeout(run, runAgain ? 0 : intervalMs);
  };
  void run();
  return () => {
    runAgain = true;
    if (!timer || isStopping()) return;
    clearTimeout(timer);
    void run();
  };
}
