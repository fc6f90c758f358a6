import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, type RunningServer } from './servers';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A core with programmed responses, for tests that count calls or need a failure, because the real core does not fail
 * on demand.
 */
export interface CoreDouble extends RunningServer {
  /** `METHOD /path` of each call since the last `reset`. */
  calls: string[];
  /** Headers of the last call. */
  lastHeaders(): NodeJS.Dict<string | string[]>;
  reset(handler: RequestHandler): void;
}

export const respondWith =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestHandler =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

export async function startCoreDouble(): Promise<CoreDouble> {
  const calls: string[] = [];
  let headers: NodeJS.Dict<string | string[]> = {};
  let handler: RequestHandler = respondWith(200, {});
  const server = await listen((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    headers = request.headers;
    handler(request, response);
  });
  return {
    ...server,
    calls,
    lastHeaders: () => headers,
    reset(next) {
      calls.length = 0;
      handler = next;
    },
  };
}
