export interface ProcessStats {
  /** Processor time since the start of the process. */
  cpuSeconds: number;
  residentBytes: number;
  /** Delay of this report, as a sample of the event loop's lag. */
  lagMs: number;
}

/** Collects statistics at each report. A separate timer for the lag would wake an idle process more often. */
export class ProcessStatsCollector {
  private takenAt = performance.now();
  private residentBytes = 0;

  /** @param intervalMs expected time between two calls of `take` */
  constructor(private readonly intervalMs: number) {}

  take(): ProcessStats {
    const now = performance.now();
    const lagMs = Math.max(0, now - this.takenAt - this.intervalMs);
    this.takenAt = now;
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6, residentBytes: this.measureResident(), lagMs };
  }

  /** Reads the resident memory from /proc, or returns the last value if no file descriptor is free. */
  private measureResident(): number {
    try {
      this.residentBytes = process.memoryUsage.rss();
    } catch {
      // The report must not fail because of this value.
    }
    return this.residentBytes;
  }
}
