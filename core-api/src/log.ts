import pino, { type Logger } from 'pino';

/** JSON lines; what could carry a secret never gets in. */
export const createLog = (level: string, name: string): Logger =>
  pino({ name, level, redact: ['*.password', '*.token', '*.key', '*.telegramBotToken', '*.authorization'] });
