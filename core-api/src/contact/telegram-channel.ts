import { type Telegram, type TelegramChat, TelegramError } from '../telegram/telegram';
import { type Channel, DeliveryError } from './channels';
import { contactMessages as messages } from './contact.messages';

/** @param findChat bot and chat as the settings have them now; nothing while one of them is missing */
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
