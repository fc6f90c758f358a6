import type { SendMailOptions, Transporter } from 'nodemailer';
import { z } from 'zod';
import { mailMessages as messages } from './mail.messages';

const TIMEOUT_MS = 10_000;

const smtpFailure = z
  .object({ response: z.string().optional().catch(undefined), code: z.string().optional().catch(undefined) })
  .catch({});

export type Mailer = ReturnType<typeof createMailer>;

/** Creates a sender of mail by SMTP. @param url starts with `smtp://` or `smtps://` and contains the credentials */
export function createMailer(url: string, from: string) {
  // nodemailer is loaded with the first mail, so that the start of the core does not wait for it.
  const openTransport = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: Promise<Transporter> | undefined;
  return {
    /** Sends a mail. @throws Error with the reason of the server, never with credentials */
    async send(mail: SendMailOptions): Promise<void> {
      transport ??= openTransport();
      const mailer = await transport;
      await mailer.sendMail({ from, ...mail }).catch((error: unknown) => {
        throw new Error(messages.failed(toReason(error)), { cause: error });
      });
    },
  };
}

/** Returns the response of the server or the error code (`ECONNECTION`, `EAUTH`), which contain no credentials. */
function toReason(error: unknown): string {
  const { response, code } = smtpFailure.parse(error);
  return response ?? code ?? 'SMTP';
}
