import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Core, listen, type RestResponse } from '../../../../testing/core';

export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

export const respondWithJson =
  (body: unknown, status = 200): Responder =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const respondNotFound = respondWithJson({}, 404);

export type Outcome = Pick<RestResponse, 'status' | 'body'>;
let serviceCount = 0;

/** Creates a service of the gateway. @returns its path below `/api` */
export async function createServicePath(core: Core, host: string): Promise<string> {
  const { _id } = await core.create('/gateway/admin/services', { name: `s${++serviceCount}`, host });
  return `/gateway/admin/services/${_id}`;
}

/** Reads the manifest of a new service at `host`. */
export async function readManifest(core: Core, host: string, path = 'manifest'): Promise<Outcome> {
  const { status, body } = await core.request('GET', `${await createServicePath(core, host)}/${path}`);
  return { status, body };
}

/** An upstream whose manifest the core reads. It has one responder per path; other paths respond with 404. */
export class ManifestPublisher {
  responders: Record<string, Responder> = {};
  requestedPaths: string[] = [];

  private constructor(
    private readonly core: Core,
    private readonly upstream: Awaited<ReturnType<typeof listen>>,
  ) {}

  static async start(core: Core): Promise<ManifestPublisher> {
    const upstream = await listen((request, response) => publisher.respond(request, response));
    const publisher = new ManifestPublisher(core, upstream);
    return publisher;
  }

  get port(): number {
    return this.upstream.port;
  }

  get url(): string {
    return this.upstream.url;
  }

  stop(): Promise<void> {
    return this.upstream.stop();
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    this.requestedPaths.push(request.url ?? '');
    (this.responders[request.url ?? ''] ?? respondNotFound)(request, response);
  }

  readResponses(responders: Record<string, Responder>, host = this.url, path = 'manifest'): Promise<Outcome> {
    this.responders = responders;
    this.requestedPaths = [];
    return readManifest(this.core, host, path);
  }

  readDocument(document: unknown): Promise<Outcome> {
    return this.readResponses({ '/manifest': respondWithJson(document) });
  }

  /** Reads a document for an import. Routes are `METHOD path`, skipped operations `[METHOD path, reason]`. */
  async readForImport(document: unknown, host = this.url) {
    const { pathname } = new URL(host);
    const responders = { [`${pathname.replace(/\/$/, '')}/manifest`]: respondWithJson(document) };
    const { status, body } = await this.readResponses(responders, host, 'manifest/reading');
    expect(status).toBe(200);
    const routes: { method: string; path: string }[] = body.routes;
    const skipped: { method?: string; path: string; reason: string }[] = body.skipped;
    return {
      body,
      routes: routes.map(({ method, path }) => `${method} ${path}`),
      skipped: skipped.map(({ method = '-', path, reason }) => [`${method} ${path}`, reason]),
    };
  }
}

export const createExpectedFailure = (details: RegExp) => ({
  status: 502,
  body: { error: 'Não foi possível ler o manifesto do serviço.', details: expect.stringMatching(details) },
});
