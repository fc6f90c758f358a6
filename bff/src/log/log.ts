import pino, { type DestinationStream, type Logger } from 'pino';
import { LogOutput } from './log-output';
import { serializeError } from './serialize-error';

/** JSON lines in which errors carry no values of a request. */
export const createLog = (level: string, destination: DestinationStream): Logger =>
  pino({ name: 'bff', level, serializers: { err: (error: unknown) => serializeError(error) } }, destination);

/** The log of this process, on its standard output. Lines that were dropped are reported in the log once there is room. */
export function createProcessLog(level: string): { log: Logger; output: LogOutput } {
  const output: LogOutput = new LogOutput((dropped) => log.warn({ dropped }, 'log lines were dropped'));
  const log: Logger = createLog(level, output);
  return { log, output };
}
