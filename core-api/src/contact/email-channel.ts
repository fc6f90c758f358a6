import type { SendMailOptions, Transporter } from 'nodemailer';
import { z } from 'zod';
import type { Config } from '../config';
import type { Channel } from './channels';
import { contactMessages as messages } from './contact.messages';

const TIMEOUT_MS = 10_000;

const smtpFailure = z
  .object({ response: z.string().optional().catch(undefined), code: z.string().optional().catch(undefined) })
  .catch({});

interface EmailChannel extends Channel {
  /** Sends a mail that says that it is a test. */
  test(): Promise<void>;
}

/** Delivery by SMTP; configured when `SMTP_URL`, `CONTACT_EMAIL_FROM` and `CONTACT_EMAIL_TO` are all set. */
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
  // Loaded with the first mail: no start waits for it.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: SMTP_URL,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: Promise<Transporter> | undefined;
  const send = async (email: SendMailOptions) => {
    transport ??= open();
    const mailer = await transport;
    await mailer.sendMail({ from, to, ...email }).catch((error: unknown) => {
      throw new Error(messages.emailFailed(reasonOf(error)), { cause: error });
    });
  };
  return {
    isConfigured: async () => true,
    deliver: (message) =>
      send({
        replyTo: { name: message.name, address: message.email },
        subject: messages.subject(message.name),
        text: messages.text(message),
        messageId: `<${message._id}@contact.studio>`,
      }),
    test: () => send({ subject: messages.testSubject, text: messages.testText }),
  };
}

/** What the server said, else the kind of failure (`ECONNECTION`, `EAUTH`); never credentials. */
function reasonOf(error: unknown): string {
  const { response, code } = smtpFailure.parse(error);
  return response ?? code ?? 'SMTP';
}
