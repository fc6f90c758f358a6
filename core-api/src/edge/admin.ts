import { createServer, type Server } from 'node:http';

export interface AdminOptions {
  isReady(): boolean;
  metricsText(): string;
  /** Whether a certificate may be issued for a host (Caddy's on-demand TLS asks). */
  serves(host: string): boolean;
}

/** Health, metrics and the certificate question of the edge, on loopback only. */
export function createAdmin({ isReady, metricsText, serves }: AdminOptions): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://edge');
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'method not allowed\n');
    switch (pathname) {
      case '/healthz':
        return answer(200, 'ok\n');
      case '/readyz':
        return isReady() ? answer(200, 'ready\n') : answer(503, 'not ready\n');
      case '/metrics':
        return answer(200, metricsText(), 'text/plain; version=0.0.4; charset=utf-8');
      case '/ask':
        return serves(searchParams.get('domain') ?? '') ? answer(200, 'yes\n') : answer(404, 'no\n');
      default:
        return answer(404, 'not found\n');
    }
  });
}
