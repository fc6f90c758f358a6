import { Gauge, Histogram, type Metric } from 'prom-client';

/** Upper bounds of the buckets of both histograms, s. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Measures writes, so that a slow database can be distinguished from a long queue. */
export class WriteMetrics {
  private readonly pending = new Gauge({
    name: 'core_database_writes_pending',
    help: 'Writes that wait for their turn or run.',
    registers: [],
  });
  private readonly wait = new Histogram({
    name: 'core_database_write_wait_seconds',
    help: 'Time that a write waited for its turn and for a connection.',
    buckets: BUCKETS,
    registers: [],
  });
  private readonly duration = new Histogram({
    name: 'core_database_write_duration_seconds',
    help: 'Time from the turn of a write until its commit has returned.',
    buckets: BUCKETS,
    registers: [],
  });

  get all(): readonly Metric[] {
    return [this.pending, this.wait, this.duration];
  }

  /** Measures a write. @param run runs the write and calls `onStart` when the write leaves the queue */
  async measure<T>(run: (onStart: () => void) => Promise<T>): Promise<T> {
    this.pending.inc();
    const endWait = this.wait.startTimer();
    let endDuration: (() => number) | undefined;
    try {
      return await run(() => {
        endWait();
        endDuration = this.duration.startTimer();
      });
    } finally {
      endDuration?.();
      this.pending.dec();
    }
  }
}
