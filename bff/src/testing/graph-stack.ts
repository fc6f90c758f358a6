import { type Mailbox, startMailbox } from '../../../scripts/testing/mailbox';
import { ADMINISTRATOR, Stack } from '../../../scripts/testing/stack';
import { respondWith } from './core-double';
import { type GraphResponse, requestGraph } from './graph-request';
import { listen, type RunningServer, startBff } from './servers';
import { documentsByField } from './whole-graph';

/** An id that no entity has. */
export const MISSING_ID = '019a0000-0000-7000-8000-000000000000';

export interface Entity {
  _id: string;
}

/** A completion of the language model. */
const completion = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'modelo',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: JSON.stringify({
          subdomain: 'loja',
          description: 'Loja',
          type: 'proxy',
          port: 4500,
          staticPath: null,
          apiPort: null,
          targetHost: null,
          targetPort: null,
        }),
      },
    },
  ],
};
const manifest = {
  routes: [
    { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
    { method: 'POST', path: '/pedidos' },
    { method: 'GET', path: '/{a}.pdf' },
  ],
};

/** The graph with a core, and with the servers that the core calls. */
export class GraphStack {
  /** Token of the administrator. */
  token = '';

  private constructor(
    readonly core: Stack,
    private readonly bff: RunningServer,
    /** A service with a manifest. The service also answers as Telegram and as the language model. */
    readonly service: RunningServer,
    private readonly mailbox: Mailbox,
    private readonly model: { answers: boolean },
  ) {}

  static async start(): Promise<GraphStack> {
    const model = { answers: false };
    const service = await listen((request, response) => {
      const isManifest = request.url === '/.well-known/gateway-manifest.json';
      if (request.url?.startsWith('/v1/')) respondWith(model.answers ? 200 : 500, completion)(request, response);
      else respondWith(200, isManifest ? manifest : { ok: true, result: {} })(request, response);
    });
    const mailbox = await startMailbox();
    const environment = {
      TELEGRAM_API_URL: service.url,
      AI_BASE_URL: `${service.url}/v1`,
      SMTP_URL: mailbox.url,
      CONTACT_EMAIL_FROM: 'site@exemplo.com',
      CONTACT_EMAIL_TO: 'estudio@exemplo.com',
    };
    const core = await Stack.start({ processes: ['core'], from: 'source', environment });
    const bff = await startBff(core.coreUrl, { environment: { SERVER_IP: '203.0.113.1, 2001:db8::1' } });
    const graph = new GraphStack(core, bff, service, mailbox, model);
    graph.token = await graph.logIn(ADMINISTRATOR);
    return graph;
  }

  async stop(): Promise<void> {
    await this.bff.stop();
    await this.core.stop();
    await this.service.stop();
    await this.mailbox.stop();
  }

  /** Requests one field with all fields below it. */
  request(field: string, variables: Record<string, unknown> = {}, token = this.token): Promise<GraphResponse> {
    const query = documentsByField.get(field);
    if (!query) throw new Error(`the graph has no field ${field}`);
    return this.send(query, variables, token);
  }

  send(query: string, variables: Record<string, unknown> = {}, token = this.token): Promise<GraphResponse> {
    return requestGraph(this.bff.url, { query, variables, token });
  }

  /** Requests one field with all fields below it, and expects no error. @returns the value of the field */
  async run<Value>(field: string, variables?: Record<string, unknown>, token?: string): Promise<Value> {
    const { status, data, errors } = await this.request(field, variables, token);
    expect(errors).toEqual([]);
    expect(status).toBe(200);
    const values: Record<string, Value> = JSON.parse(JSON.stringify(data));
    const value = values[field];
    if (value === undefined) throw new Error(`the response lacks the field ${field}`);
    return value;
  }

  async logIn(credentials: { username: string; password: string; code?: string }): Promise<string> {
    return (await this.run<{ token: string }>('login', credentials)).token;
  }

  confirmPassword(password = ADMINISTRATOR.password, token?: string): Promise<{ sudoUntil: string }> {
    return this.run('confirmPassword', { password }, token);
  }

  /** Runs a part of a test while the language model answers. */
  async withModel(run: () => Promise<void>): Promise<void> {
    this.model.answers = true;
    try {
      await run();
    } finally {
      this.model.answers = false;
    }
  }
}
