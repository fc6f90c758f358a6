import { listen } from './server';

/** The body of a message about alerts. A message about several alerts has `alerts`. */
interface WebhookBody {
  type: string;
  data: {
    kind: string;
    subject: { name: string };
    since?: string;
    until?: string;
    alerts?: { kind: string; event: string }[];
  };
}

export interface WebhookMessage {
  body: WebhookBody;
  headers: Record<string, string>;
  /** The body as it was sent, which the signature covers. */
  raw: string;
}

/** Starts a receiver of webhooks on a free loopback port. Its responses have the status `state.status`. */
export async function startWebhookReceiver() {
  const messages: WebhookMessage[] = [];
  const state = { status: 204 };
  const server = await listen((request, response) => {
    let raw = '';
    request.on('data', (chunk) => {
      raw += chunk;
    });
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      messages.push({ body: JSON.parse(raw), headers, raw });
      response.writeHead(state.status).end();
    });
  });
  return { ...server, messages, state };
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;
