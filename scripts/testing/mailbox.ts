import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** Starts an SMTP server without authentication on a free loopback port, and keeps the mails that it accepts. */
export async function startMailbox() {
  const mails: string[] = [];
  /** Reason with which the server refuses mails; undefined while it accepts them. */
  const state: { refusal: string | undefined } = { refusal: undefined };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        if (state.refusal) return done(Object.assign(new Error(state.refusal), { responseCode: 451 }));
        mails.push(text);
        done();
      });
    },
  });
  // A killed core resets its SMTP connection.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    state,
    countConnections: () => server.connections.size,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;
