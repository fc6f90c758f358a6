import { z } from 'zod';
import { settingsMessages as messages } from './settings.messages';

const emptyOr = (pattern: RegExp, message: string) =>
  z
    .string(message)
    .trim()
    .max(255, message)
    .refine((text) => text === '' || pattern.test(text), message)
    .nullish()
    .transform((text) => text ?? undefined);

/** A program with an API token gets this mask instead of the bot's token. Saving the mask keeps the bot's token. */
export const BOT_TOKEN_MASK = '••••••••';

/** PUT /settings; an absent field keeps its value, and an empty field is cleared. */
export const settingsBody = z.object({
  telegramBotToken: z.preprocess(
    (text) => (text === BOT_TOKEN_MASK ? undefined : text),
    emptyOr(/^\d{1,20}:[\w-]{1,128}$/, messages.botToken),
  ),
  telegramChatId: emptyOr(/^(-?\d{1,20}|@\w{1,64})$/, messages.chatId),
});
export type SettingsBody = z.output<typeof settingsBody>;

export const settingsResponse = z
  .object({ telegramBotToken: z.string(), telegramChatId: z.string(), version: z.int() })
  .meta({ id: 'Settings', examples: [{ telegramBotToken: '123456:ABC-def', telegramChatId: '-1001234', version: 1 }] });
export type Settings = z.output<typeof settingsResponse>;
