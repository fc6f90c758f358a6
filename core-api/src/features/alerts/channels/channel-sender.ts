import type { Config } from '../../../platform/config/config';
import { Mailer } from '../../../platform/mail/mailer';
import { OutboundError, postDocument } from '../../../platform/outbound/outbound';
import { DeliveryError } from '../../../platform/outbox/outbox-worker';
import { decryptStored } from '../../../platform/secrets/encryption';
import type { Telegram, TelegramChat } from '../../../platform/telegram/telegram';
import type { AlertChannel } from '../alert-settings.entity';
import { alertMessages as messages } from '../alerts.messages';
import { createWebhookBody, formatAlerts, type MessageAlert } from '../delivery/alert-text';
import { createWebhookHeaders } from './webhook';

export interface OutgoingMessage {
  /** Stays the same in every attempt. */
  id: string;
  text: string;
  /** Body of a webhook in the standard format. */
  body: object;
}

type SenderConfig = Pick<Config, 'OWN_PORTS' | 'BRAND_NAME' | 'SMTP_URL' | 'CONTACT_EMAIL_FROM' | 'CONTACT_EMAIL_TO'>;

export const toOutgoingMessage = (id: string, alerts: readonly MessageAlert[], timeZone: string): OutgoingMessage => ({
  id,
  text: formatAlerts(alerts, timeZone),
  body: createWebhookBody(alerts, new Date().toISOString()),
});

export const createTestMessage = (id: string): OutgoingMessage => ({
  id,
  text: messages.testTitle,
  body: { type: 'channel.test', timestamp: new Date().toISOString(), data: {} },
});

const SLACK_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Slack reads `<!channel>` and `<URL|text>` as markup, and a site's name may contain both. */
const toSlackBody = (text: string) => ({
  text: text.replace(/[&<>]/g, (character) => SLACK_ENTITIES[character] ?? ''),
  mrkdwn: false,
});

/** Discord interprets `@everyone` and `[text](URL)`, which a site's name may contain. Its limit: 2,000 characters. */
const toDiscordBody = (text: string) => ({
  content: text.replaceAll('[', '\\[').slice(0, 2000),
  allowed_mentions: { parse: [] },
});

export class ChannelSender {
  private readonly mailer: Mailer | undefined;

  constructor(
    private readonly config: SenderConfig,
    private readonly telegram: Telegram,
    /** Bot and chat of the settings; undefined while one of them is missing. */
    private readonly findTelegramChat: () => Promise<TelegramChat | undefined>,
    /** Key that decrypts URLs and secrets of webhooks. */
    private readonly key: Buffer,
  ) {
    const { SMTP_URL, CONTACT_EMAIL_FROM } = config;
    this.mailer = SMTP_URL && CONTACT_EMAIL_FROM ? new Mailer(SMTP_URL, CONTACT_EMAIL_FROM) : undefined;
  }

  /** Sends a message to a channel. @throws DeliveryError; the console shows its text */
  async send(channel: AlertChannel, message: OutgoingMessage): Promise<void> {
    if (channel.type === 'telegram') await this.sendTelegram(channel, message);
    else if (channel.type === 'email') await this.sendMail(channel, message);
    else await this.sendWebhook(channel, message);
  }

  private async sendTelegram({ chatId }: AlertChannel, { text }: OutgoingMessage): Promise<void> {
    const chat = await this.findTelegramChat();
    if (!chat) throw new DeliveryError(messages.telegramOff);
    try {
      await this.telegram.send({ ...chat, ...(chatId && { chatId }) }, text);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      // `permanent` is left out, so that retries continue: no change of the settings resends an alert that has failed.
      throw new DeliveryError(error.message, { retryAfterS: error.options.retryAfterS });
    }
  }

  private async sendMail({ to }: AlertChannel, { id, text }: OutgoingMessage): Promise<void> {
    const { CONTACT_EMAIL_TO, BRAND_NAME } = this.config;
    const recipient = to ?? CONTACT_EMAIL_TO;
    if (!this.mailer || !recipient) throw new DeliveryError(messages.emailOff);
    const [title = ''] = text.split('\n');
    await this.mailer.send({
      to: recipient,
      subject: messages.subjectLine(BRAND_NAME, title),
      text,
      messageId: `<${id}@alerts.studio>`,
    });
  }

  private async sendWebhook(channel: AlertChannel, { id, text, body }: OutgoingMessage): Promise<void> {
    const url = decryptStored(channel.url, this.key);
    if (!url) throw new DeliveryError(messages.notConfigured);
    const timestamp = Math.floor(Date.now() / 1000);
    const bodies = { standard: body, slack: toSlackBody(text), discord: toDiscordBody(text) };
    const document = JSON.stringify(bodies[channel.format ?? 'standard']);
    const headers = createWebhookHeaders({ id, timestamp, body: document }, this.decryptSecrets(channel));
    const status = await postDocument(url, { headers, body: document }, this.config.OWN_PORTS).catch(
      (error: unknown) => {
        throw error instanceof OutboundError ? new DeliveryError(error.message) : error;
      },
    );
    if (status < 200 || status > 299) throw new DeliveryError(messages.webhookStatus(status));
  }

  /** The current secret, and the previous one while it is valid. */
  private decryptSecrets({ secret, previousSecret, previousSecretUntil }: AlertChannel): string[] {
    const isPreviousValid = previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now();
    return [secret, isPreviousValid ? previousSecret : null]
      .map((encrypted) => decryptStored(encrypted, this.key))
      .filter((text) => text !== '');
  }
}
