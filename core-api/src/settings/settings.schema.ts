import { z } from 'zod';
import { settingsMessages as messages } from './settings.messages';

const emptyOr = (pattern: RegExp, sentence: string) =>
  z
    .string(sentence)
    .trim()
    .max(255, sentence)
    .refine((text) => text === '' || pattern.test(text), sentence)
    .nullish()
    .transform((text) => text ?? undefined);

/** PUT /settings: a field left out keeps its value, an empty one is cleared. */
export const settingsBody = z.object({
  telegramBotToken: emptyOr(/^\d{1,20}:[\w-]{1,128}$/, messages.botToken),
  telegramChatId: emptyOr(/^(-?\d{1,20}|@\w{1,64})$/, messages.chatId),
});
export type SettingsBody = z.output<typeof settingsBody>;

export const settingsResponse = z
  .object({ telegramBotToken: z.string(), telegramChatId: z.string(), version: z.int() })
  .meta({ id: 'Settings', examples: [{ telegramBotToken: '123456:ABC-def', telegramChatId: '-1001234', version: 1 }] });
