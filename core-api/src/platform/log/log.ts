import pino, { type DestinationStream, type Logger } from 'pino';
import { LogOutput } from './log-output';
import { serializeError } from './serialize-error';

/** Logs JSON lines; fields that may carry secrets are redacted. @param destination default: standard output */
export const createLog = (level: string, name: string, destination?: DestinationStream): Logger =>
  pino(
    {
      name,
      level,
      redact: ['*.password', '*.token', '*.key', '*.telegramBotToken', '*.authorization'],
      serializers: { err: serializeError },
    },
    destination,
  );

/** The log of a process, on its standard output. Lines that were dropped are reported in the log once there is room. */
export function createProcessLog(level: string, name: string): { log: Logger; output: LogOutput } {
  const output: LogOutput = new LogOutput((dropped) => log.warn({ dropped }, 'log lines were dropped'));
  const log: Logger = createLog(level, name, output);
  return { log, output };
}
