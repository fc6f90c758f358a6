import pino, { type DestinationStream, type Logger } from 'pino';
import { LogOutput } from './log-output';
import { serializeError } from './serialize-error';

/** Creates a log of JSON lines on standard output or `destination`. Fields that may contain secrets are redacted. */
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

/** Creates the log of a process on standard output. The log reports dropped lines once it can write again. */
export function createProcessLog(level: string, name: string): { log: Logger; output: LogOutput } {
  const output: LogOutput = new LogOutput((dropped) => log.warn({ dropped }, 'log lines were dropped'));
  const log: Logger = createLog(level, name, output);
  return { log, output };
}
