import { DeliveryError } from '../../platform/outbox/outbox-worker';
import { type Telegram, type TelegramChat, TelegramError } from '../../platform/telegram/telegram';
import type { Channel } from './channels';
import { contactMessages as messages } from './contact.messages';

/** @param findChat returns bot and chat of the current settings; undefined if one of them is missing */
export const createTelegramChannel = (
  telegram: Telegram,
  findChat: () => Promise<TelegramChat | undefined>,
): Channel => ({
  isConfigured: async () => (await findChat()) !== undefined,
  async deliver(message, progress) {
    const chat = await findChat();
    if (!chat) throw new Error(messages.notConfigured);
    try {
      await telegram.send(chat, messages.text(message), progress);
    } catch (error) {
      throw error instanceof TelegramError ? new DeliveryError(error.message, error) : error;
    }
  },
});
