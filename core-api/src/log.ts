import pino, { type Logger } from 'pino';

/** JSON lines; fields that carry secrets are redacted. */
export const createLog = (level: string, name: string): Logger =>
  pino({ name, level, redact: ['*.password', '*.token', '*.key', '*.telegramBotToken', '*.authorization'] });
