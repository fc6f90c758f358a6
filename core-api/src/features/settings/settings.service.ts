import { computeNextVersion } from '../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../platform/database/database';
import { RuleError } from '../../platform/errors/rule-error';
import { DeliveryError } from '../../platform/outbox/outbox-worker';
import { decryptStored, encryptChanged } from '../../platform/secrets/encryption';
import type { Telegram, TelegramChat } from '../../platform/telegram/telegram';
import { retryUndelivered } from '../contact';
import { SettingsRow } from './settings.entity';
import { settingsMessages as messages } from './settings.messages';
import type { Settings, SettingsBody } from './settings.schema';

const ROW_ID = 1;

export class SettingsService {
  constructor(
    private readonly database: Database,
    private readonly encryptionKey: Buffer,
    private readonly telegram: Telegram,
  ) {}

  async get(): Promise<Settings> {
    const row = await this.database.read.findOneByOrFail(SettingsRow, { id: ROW_ID });
    return this.decryptRow(row);
  }

  /** Bot and chat; undefined if one of them is missing. */
  async findTelegramChat(): Promise<TelegramChat | undefined> {
    const { telegramBotToken, telegramChatId } = await this.get();
    return telegramBotToken && telegramChatId ? { botToken: telegramBotToken, chatId: telegramChatId } : undefined;
  }

  async update(context: ChangeContext, { telegramBotToken, telegramChatId }: SettingsBody): Promise<Settings> {
    return this.database.serializedWrite(context, async (manager) => {
      const stored = await manager.findOneByOrFail(SettingsRow, { id: ROW_ID });
      const row = { ...stored, telegramChatId: telegramChatId ?? stored.telegramChatId };
      row.telegramBotToken = encryptChanged(stored.telegramBotToken, telegramBotToken, this.encryptionKey);
      row.version = computeNextVersion(stored, row, context);
      await manager.update(SettingsRow, { id: ROW_ID }, row);
      // Messages that failed with the earlier settings may succeed with the new settings.
      await retryUndelivered(manager, 'telegram');
      return this.decryptRow(row);
    });
  }

  /** Sends a test message. @throws RuleError invalid without bot or chat; upstream with Telegram's reason */
  async sendTestMessage(): Promise<void> {
    const chat = await this.findTelegramChat();
    if (!chat) throw new RuleError('invalid', messages.incomplete);
    try {
      await this.telegram.send(chat, messages.testText);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      throw new RuleError('upstream', messages.testFailed, { details: error.message });
    }
  }

  /** Decrypts the row. A token that the current key cannot decrypt counts as empty and must be entered again. */
  private decryptRow({ telegramBotToken, telegramChatId, version }: SettingsRow): Settings {
    return { telegramBotToken: decryptStored(telegramBotToken, this.encryptionKey), telegramChatId, version };
  }
}
