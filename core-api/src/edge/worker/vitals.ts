import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;

/** Resource use of a worker process. */
export interface Vitals {
  /** Since its start. */
  cpuSeconds: number;
  residentBytes: number;
  /** The longest that its event loop was late since the last report. */
  lagMs: number;
}

/** Measures this process. */
export class VitalSigns {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  private residentBytes = 0;

  constructor() {
    this.delay.enable();
  }

  take(): Vitals {
    const { user, system } = process.cpuUsage();
    // The histogram holds the time between two ticks, in nanoseconds; without any it says 0.
    const lagMs = Math.max(0, this.delay.max / 1e6 - RESOLUTION_MS);
    this.delay.reset();
    return { cpuSeconds: (user + system) / 1e6, residentBytes: this.measureResident(), lagMs };
  }

  /** It is read from a file: without a descriptor to spare the last figure stands. */
  private measureResident(): number {
    try {
      this.residentBytes = process.memoryUsage.rss();
    } catch {
      // Nothing that a report should end with.
    }
    return this.residentBytes;
  }
}
