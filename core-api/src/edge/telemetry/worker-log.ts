import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config';
import { createLog } from '../../platform/log/log';
import { type AccessLogEntry, formatAccessLine } from './access-log';
import { LineWriter } from './line-writer';
import { isLogFilePath, LogFile } from './output/log-file';
import { openOutput } from './output/open-output';
import { exitProcess, FINAL_FLUSH_MS, type Output } from './output/output';

/** The process log and the access log of a worker. Both use one output, unless the access log has its own file. */
export class WorkerLog {
  readonly log: Logger;
  /** Undefined if `ACCESS_LOG` is `off`. */
  readonly accessLog: LineWriter<AccessLogEntry> | undefined;
  private readonly outputs: Output[];
  private readonly file: LogFile | undefined;
  private droppedChunkCount = 0;

  constructor({ LOG_LEVEL, ACCESS_LOG }: Pick<Config, 'LOG_LEVEL' | 'ACCESS_LOG'>, descriptor: number) {
    const countDropped = () => {
      this.droppedChunkCount += 1;
    };
    // Both logs share one writer, because two writers to one descriptor could tear each other's lines.
    const output = openOutput(descriptor, countDropped);
    this.log = createLog(LOG_LEVEL, 'edge', output);
    this.file = isLogFilePath(ACCESS_LOG) ? new LogFile(ACCESS_LOG, countDropped) : undefined;
    this.accessLog = ACCESS_LOG === 'off' ? undefined : new LineWriter(this.file ?? output, formatAccessLine);
    this.outputs = this.file ? [output, this.file] : [output];
  }

  /** Number of chunks of lines that were dropped since the start. */
  get dropped(): number {
    return this.droppedChunkCount;
  }

  /** Opens the file of the access log again, after it was rotated. */
  reopen(): void {
    this.accessLog?.flush();
    try {
      this.file?.reopen();
    } catch (error) {
      // The worker continues with the old file, because a new worker could not open the path either.
      this.log.error({ err: error }, 'the access log cannot be reopened, so further lines go to the open file');
    }
  }

  /** Writes all buffered lines, with a time limit for stalled readers. */
  async flush(): Promise<void> {
    this.accessLog?.flush();
    for (const lostCount of await Promise.all(this.outputs.map((output) => output.waitUntilFlushed(FINAL_FLUSH_MS))))
      this.droppedChunkCount += lostCount;
  }

  exitProcess(): void {
    exitProcess(this.outputs, () => process.exit(0));
  }
}
