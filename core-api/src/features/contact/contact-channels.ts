import type { Config } from '../../platform/config/config';
import type { Database } from '../../platform/database/database';
import { Mailer } from '../../platform/mail/mailer';
import { DeliveryError, type DeliveryTable } from '../../platform/outbox/outbox-worker';
import type { SendProgress, Telegram, TelegramChat } from '../../platform/telegram/telegram';
import { type ChannelName, ContactDelivery, ContactMessage, channelNames } from './contact.entity';
import { contactMessages as messages } from './contact.messages';

/** A delivery to a channel without settings is retried after an hour. */
const NOT_CONFIGURED_RETRY_S = 3600;

interface Channel {
  isConfigured(): Promise<boolean>;
  /** Sends a message. @throws DeliveryError, or any other error for a temporary failure */
  deliver(message: ContactMessage, progress: SendProgress): Promise<void>;
}
type Channels = Record<ChannelName, Channel>;

/** Delivers by SMTP. The channel is configured if `SMTP_URL`, `CONTACT_EMAIL_FROM` and `CONTACT_EMAIL_TO` are set. */
export function createEmailChannel({
  SMTP_URL,
  CONTACT_EMAIL_FROM,
  CONTACT_EMAIL_TO,
}: Pick<Config, 'SMTP_URL' | 'CONTACT_EMAIL_FROM' | 'CONTACT_EMAIL_TO'>): Channel & { test(): Promise<void> } {
  if (!SMTP_URL || !CONTACT_EMAIL_FROM || !CONTACT_EMAIL_TO) {
    const rejectUnconfigured = () => Promise.reject(new Error(messages.notConfigured));
    return { isConfigured: async () => false, deliver: rejectUnconfigured, test: rejectUnconfigured };
  }
  const mailer = new Mailer(SMTP_URL, CONTACT_EMAIL_FROM);
  return {
    isConfigured: async () => true,
    deliver: (message) =>
      mailer.send({
        to: CONTACT_EMAIL_TO,
        replyTo: { name: message.name, address: message.email },
        subject: messages.subject(message.name),
        text: messages.text(message),
        messageId: `<${message._id}@contact.studio>`,
      }),
    test: () => mailer.send({ to: CONTACT_EMAIL_TO, subject: messages.testSubject, text: messages.testText }),
  };
}

/** Sends to Telegram. @param findChat returns bot and chat of the settings; undefined if bot or chat is missing */
export const createTelegramChannel = (
  telegram: Telegram,
  findChat: () => Promise<TelegramChat | undefined>,
): Channel => ({
  isConfigured: async () => (await findChat()) !== undefined,
  async deliver(message, progress) {
    const chat = await findChat();
    if (!chat) throw new Error(messages.notConfigured);
    await telegram.send(chat, messages.text(message), progress);
  },
});

/**
 * Lists the configured channels. A channel whose settings cannot be read counts as configured, so that the message is
 * stored for this channel and the outbox reports the error.
 */
export async function listConfiguredChannels(channels: Channels): Promise<ChannelName[]> {
  const configuredFlags = await Promise.all(
    channelNames.map((name) => channels[name].isConfigured().catch(() => true)),
  );
  return channelNames.filter((_, index) => configuredFlags[index]);
}

export const createContactDeliveries = (
  database: Database,
  channels: Channels,
  name: ChannelName,
): DeliveryTable<ContactDelivery> => ({
  name: `contact ${name}`,
  entity: ContactDelivery,
  scope: { channel: name },
  toPrimaryKey: ({ messageId, channel }) => ({ messageId, channel }),
  async send({ messageId, piecesSent }, save) {
    const channel = channels[name];
    const message = await database.read.findOneByOrFail(ContactMessage, { _id: messageId });
    if (!(await channel.isConfigured()))
      throw new DeliveryError(messages.notConfigured, { retryAfterS: NOT_CONFIGURED_RETRY_S });
    let sentCount = piecesSent;
    const recordSentPiece = () => {
      sentCount += 1;
      return save({ piecesSent: sentCount });
    };
    await channel.deliver(message, { piecesSent, recordSentPiece });
  },
});
