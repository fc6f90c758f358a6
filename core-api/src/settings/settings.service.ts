import { reviveTelegram } from '../contact/outbox';
import { type Telegram, TelegramError } from '../contact/telegram';
import type { Database } from '../database/source';
import { RuleError } from '../http/errors';
import { decrypt, encrypt } from './encryption';
import { SettingsRow } from './settings.entity';
import { settingsMessages as messages } from './settings.messages';
import type { SettingsBody } from './settings.schema';

export interface Settings {
  telegramBotToken: string;
  telegramChatId: string;
}

const ONLY = 1;

export class SettingsService {
  constructor(
    private readonly database: Database,
    private readonly key: Buffer,
    private readonly telegram: Telegram,
  ) {}

  async get(): Promise<Settings> {
    const row = await this.database.read.findOneByOrFail(SettingsRow, { id: ONLY });
    return this.open(row);
  }

  async update({ telegramBotToken, telegramChatId }: SettingsBody): Promise<Settings> {
    return this.database.write(async (manager) => {
      const row = await manager.findOneByOrFail(SettingsRow, { id: ONLY });
      if (telegramBotToken !== undefined)
        row.telegramBotToken = telegramBotToken && encrypt(telegramBotToken, this.key);
      if (telegramChatId !== undefined) row.telegramChatId = telegramChatId;
      await manager.update(SettingsRow, { id: ONLY }, row);
      await reviveTelegram(manager);
      return this.open(row);
    });
  }

  /** @throws RuleError invalid without credentials, outside with Telegram's own reason */
  async sendTestMessage(): Promise<void> {
    const { telegramBotToken, telegramChatId } = await this.get();
    if (!telegramBotToken || !telegramChatId) throw new RuleError('invalid', messages.incomplete);
    try {
      await this.telegram.send({ botToken: telegramBotToken, chatId: telegramChatId, text: messages.testText });
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      throw new RuleError('outside', messages.testFailed, { details: error.message });
    }
  }

  /** A token that was sealed with a key that is gone is as good as none: it must be entered again. */
  private open({ telegramBotToken, telegramChatId }: SettingsRow): Settings {
    return { telegramBotToken: (telegramBotToken && decrypt(telegramBotToken, this.key)) || '', telegramChatId };
  }
}
