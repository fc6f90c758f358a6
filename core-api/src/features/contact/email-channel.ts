import type { Config } from '../../platform/config';
import { createMailer } from '../../platform/mail/mailer';
import type { Channel } from './channels';
import { contactMessages as messages } from './contact.messages';

interface EmailChannel extends Channel {
  /** Sends a test message. */
  test(): Promise<void>;
}

/** Delivers by SMTP. Configured if `SMTP_URL`, `CONTACT_EMAIL_FROM` and `CONTACT_EMAIL_TO` are all set. */
export function createEmailChannel({
  SMTP_URL,
  CONTACT_EMAIL_FROM: from,
  CONTACT_EMAIL_TO: to,
}: Pick<Config, 'SMTP_URL' | 'CONTACT_EMAIL_FROM' | 'CONTACT_EMAIL_TO'>): EmailChannel {
  if (!SMTP_URL || !from || !to) {
    return {
      isConfigured: async () => false,
      deliver: () => Promise.reject(new Error(messages.notConfigured)),
      test: () => Promise.reject(new Error(messages.notConfigured)),
    };
  }
  const mailer = createMailer(SMTP_URL, from);
  return {
    isConfigured: async () => true,
    deliver: (message) =>
      mailer.send({
        to,
        replyTo: { name: message.name, address: message.email },
        subject: messages.subject(message.name),
        text: messages.text(message),
        messageId: `<${message._id}@contact.studio>`,
      }),
    test: () => mailer.send({ to, subject: messages.testSubject, text: messages.testText }),
  };
}
