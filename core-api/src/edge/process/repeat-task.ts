import type { Logger } from 'pino';
import { computeAlignedPause } from '../../platform/time/aligned-pause';
import { findDatabaseErrorMessage } from '../config-sync/edge-store';

export interface RepeatOptions {
  /** Pause from the end of a run to the start of the next run, ms. `computeAlignedPause` adjusts it. */
  pauseMs: number | (() => number);
  /** Name of the task in the log, as in "storing usage failed". */
  name: string;
  log: Pick<Logger, 'warn' | 'info'>;
  isStopping(): boolean;
}

/** Wraps a task so that it never rejects. The log has the first failure of a series, and the end of the series. */
function logFailures(task: () => Promise<unknown>, { name, log }: RepeatOptions): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      if ((await task()) === false) return;
      if (isFailing) log.info(`${name} works again`);
      isFailing = false;
    } catch (error) {
      const reason = findDatabaseErrorMessage(error);
      if (!isFailing) log.warn(reason ? { reason } : { err: error }, `${name} failed`);
      isFailing = true;
    }
  };
}

/**
 * Runs a task periodically, and logs its failures.
 * @param task resolves to false if nothing was due, for example in a pause after a failure
 * @returns a function that shortens the current pause to a given number of ms; during a run it shortens the next pause
 */
export function repeatTask(task: () => Promise<unknown>, options: RepeatOptions): (pauseMs: number) => void {
  const { isStopping } = options;
  const runLogged = logFailures(task, options);
  let timer: NodeJS.Timeout | undefined;
  /** Planned start of the next run by the monotonic clock, ms. Infinite while no start is planned. */
  let nextAt = Number.POSITIVE_INFINITY;
  const run = async () => {
    timer = undefined;
    nextAt = Number.POSITIVE_INFINITY;
    await runLogged();
    if (isStopping()) return;
    const pauseMs = typeof options.pauseMs === 'number' ? options.pauseMs : options.pauseMs();
    nextAt = Math.min(nextAt, performance.now() + computeAlignedPause(pauseMs));
    timer = setTimeout(run, nextAt - performance.now());
  };
  void run();
  return (shorterMs) => {
    const endsAt = performance.now() + shorterMs;
    if (endsAt >= nextAt || isStopping()) return;
    nextAt = endsAt;
    if (!timer) return;
    clearTimeout(timer);
    timer = setTimeout(run, shorterMs);
  };
}
