import pino, { type DestinationStream, type Logger } from 'pino';

/** JSON lines; fields that carry secrets are redacted. @param destination standard output when it is missing */
export const createLog = (level: string, name: string, destination?: DestinationStream): Logger =>
  pino(
    { name, level, redact: ['*.password', '*.token', '*.key', '*.telegramBotToken', '*.authorization'] },
    destination,
  );
