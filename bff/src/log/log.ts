import pino, { type DestinationStream, type Logger } from 'pino';
import { LogOutput } from './log-output';
import { serializeError } from './serialize-error';

/** A log of JSON lines whose errors contain no values of a request. */
export const createLog = (level: string, destination: DestinationStream): Logger =>
  pino({ name: 'bff', level, serializers: { err: serializeError } }, destination);

/**
 * The log of this process, on its standard output. Once lines can be written again, the log reports the number of
 * dropped lines.
 */
export function createProcessLog(level: string): { log: Logger; output: LogOutput } {
  const output: LogOutput = new LogOutput((dropped) => log.warn({ dropped }, 'log lines were dropped'));
  const log: Logger = createLog(level, output);
  return { log, output };
}
