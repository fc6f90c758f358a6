import type { SendMailOptions, Transporter } from 'nodemailer';
import { z } from 'zod';
import { mailMessages as messages } from './mail.messages';

const TIMEOUT_MS = 10_000;

const smtpFailure = z
  .object({ response: z.string().optional().catch(undefined), code: z.string().optional().catch(undefined) })
  .catch({});

export type Mailer = ReturnType<typeof createMailer>;

/** Sends mail by SMTP. @param url `smtp://` or `smtps://`, with credentials */
export function createMailer(url: string, from: string) {
  // nodemailer is loaded with the first message, so that it does not delay the start.
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
    /** Opens the transport at the first mail. @throws Error with the server's own reason, never with credentials */
    async send(mail: SendMailOptions): Promise<void> {
      transport ??= openTransport();
      const mailer = await transport;
      await mailer.sendMail({ from, ...mail }).catch((error: unknown) => {
        throw new Error(messages.failed(toReason(error)), { cause: error });
      });
    },
  };
}

/** The server's response, or else the kind of failure (`ECONNECTION`, `EAUTH`); never credentials. */
function toReason(error: unknown): string {
  const { response, code } = smtpFailure.parse(error);
  return response ?? code ?? 'SMTP';
}
