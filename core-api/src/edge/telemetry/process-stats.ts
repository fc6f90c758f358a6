import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Every measurement wakes the process, also an idle one. */
const RESOLUTION_MS = 50;

export interface ProcessStats {
  /** Processor time since the start of the process. */
  cpuSeconds: number;
  residentBytes: number;
  /** Longest delay of the event loop since the last report. */
  lagMs: number;
}

export class ProcessStatsCollector {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  private residentBytes = 0;

  constructor() {
    this.delay.enable();
  }

  take(): ProcessStats {
    const { user, system } = process.cpuUsage();
    // The histogram contains times between two ticks, ns; without a tick its maximum is 0.
    const lagMs = Math.max(0, this.delay.max / 1e6 - RESOLUTION_MS);
    this.delay.reset();
    return { cpuSeconds: (user + system) / 1e6, residentBytes: this.measureResident(), lagMs };
  }

  /** Reads a file in /proc. Without a free file descriptor, the last value is used. */
  private measureResident(): number {
    try {
      this.residentBytes = process.memoryUsage.rss();
    } catch {
      // A report must not fail because of this value.
    }
    return this.residentBytes;
  }
}
