export interface ProcessStats {
  /** Processor time since the start of the process. */
  cpuSeconds: number;
  residentBytes: number;
  /** Delay of this report, as a sample of the event loop's lag. */
  lagMs: number;
}

/** Statistics of this process, taken by an existing timer: one for the lag alone would wake an idle process more. */
export class ProcessStatsCollector {
  private takenAt = performance.now();
  private residentBytes = 0;

  /** @param intervalMs between two calls of `take` */
  constructor(private readonly intervalMs: number) {}

  take(): ProcessStats {
    const now = performance.now();
    const lagMs = Math.max(0, now - this.takenAt - this.intervalMs);
    this.takenAt = now;
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6, residentBytes: this.measureResident(), lagMs };
  }

  /** Reads a file in /proc. The last value is used if no file descriptor is free. */
  private measureResident(): number {
    try {
      this.residentBytes = process.memoryUsage.rss();
    } catch {
      // The report must not fail because of this value.
    }
    return this.residentBytes;
  }
}
