import nodemailer from 'nodemailer';
import { z } from 'zod';
import type { Config } from '../config';
import type { ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';

export type SendEmail = (message: ContactMessage) => Promise<void>;

const TIMEOUT = 10_000;

const smtpFailure = z
  .object({ response: z.string().optional().catch(undefined), code: z.string().optional().catch(undefined) })
  .catch({});

/** Delivery by SMTP; nothing unless `SMTP_URL`, `CONTACT_EMAIL_FROM` and `CONTACT_EMAIL_TO` are all set. */
export function createEmail({
  SMTP_URL,
  CONTACT_EMAIL_FROM: from,
  CONTACT_EMAIL_TO: to,
}: Config): SendEmail | undefined {
  if (!SMTP_URL || !from || !to) return undefined;
  const transport = nodemailer.createTransport({
    url: SMTP_URL,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (message) => {
    const email = {
      from,
      to,
      replyTo: { name: message.name, address: message.email },
      subject: messages.subject(message.name),
      text: messages.text(message),
      messageId: `<${message._id}@contact.studio>`,
    };
    await transport.sendMail(email).catch((error: unknown) => {
      throw new Error(messages.emailFailed(reasonOf(error)), { cause: error });
    });
  };
}

/** What the server said, else the kind of failure (`ECONNECTION`, `EAUTH`); never credentials. */
function reasonOf(error: unknown): string {
  const { response, code } = smtpFailure.parse(error);
  return response ?? code ?? 'SMTP';
}
