import type { SendMailOptions, Transporter } from 'nodemailer';
import { z } from 'zod';
import { mailMessages as messages } from './mail.messages';

const TIMEOUT_MS = 10_000;

const smtpFailure = z
  .object({ response: z.string().optional().catch(undefined), code: z.string().optional().catch(undefined) })
  .catch({});

export class Mailer {
  private transport: Promise<Transporter> | undefined;

  /** @param url starts with `smtp://` or `smtps://` and contains the credentials */
  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  /** Sends a mail. @throws Error with the reason of the server, never with credentials */
  async send(mail: SendMailOptions): Promise<void> {
    this.transport ??= openTransport(this.url);
    await (await this.transport).sendMail({ from: this.from, ...mail }).catch((error: unknown) => {
      throw new Error(messages.failed(toReason(error)), { cause: error });
    });
  }
}

async function openTransport(url: string): Promise<Transporter> {
  // nodemailer is loaded with the first mail, so that the start of the core does not wait for it.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Returns the response of the server or the error code (`ECONNECTION`, `EAUTH`), which contain no credentials. */
function toReason(error: unknown): string {
  const { response, code } = smtpFailure.parse(error);
  return response ?? code ?? 'SMTP';
}
