import { createServer, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Config } from '../config';
import { createLog } from '../log';
import { compileAddressList } from '../rules/address';
import { refusalText } from './answers';
import { FastLane } from './fast/fast-lane';
import { poolSize } from './forward/forward';
import type { Tunnel } from './forward/upgrade';
import { createUpstream, upstreamOf } from './forward/upstream';
import { UsageCounter } from './gateway/count';
import type { ToPrimary, ToWorker } from './messages';
import { RequestMetrics } from './metrics';
import { State } from './snapshot/state';
import { createTraffic } from './traffic';

const REPORT_EVERY = 500;
const DRAIN = 9_000;
/** Open WebSockets get this long to end by themselves, then a close frame and one more second. */
const TUNNEL_GRACE = 7_500;
const HEADERS_TIMEOUT = 15_000;
const LARGEST_HEAD = 32 * 1024;

/** What Node's parser refuses, but for 400: a host, whose form of error it would be, is not known then. */
const UNREADABLE: Record<string, 408 | 431> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

const tell = (message: ToPrimary) => process.send?.(message);

/** Serves with what the primary sends; never sees the database. */
export function runWorker(config: Config, mark: string): void {
  const log = createLog(config.LOG_LEVEL, 'edge');
  const state = new State(log);
  const usage = new UsageCounter();
  const metrics = new RequestMetrics();
  const tunnels = new Set<Tunnel>();
  const options = {
    baseDomain: config.BASE_DOMAIN,
    core: upstreamOf(config.CORE_URL).upstream,
    bff: createUpstream(config.BFF_HOST, config.BFF_PORT, false),
    mark,
    isTrusted: compileAddressList(config.TRUSTED_PROXIES),
    state,
    usage,
    metrics,
    tunnels,
    unreadable: new WeakSet<object>(),
    log,
  };
  const handle = createTraffic(options);

  const server = createServer({
    maxHeaderSize: LARGEST_HEAD,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2_000,
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxHeadersCount = 0;
  server.on('request', (request, response) => handle(request, response));
  server.on('checkContinue', (request, response) => handle(request, response));
  server.on('upgrade', (request, socket, early) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    if (socket instanceof Socket) response.assignSocket(socket);
    response.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    handle(request, response, { socket, early });
  });
  server.on('connect', (request, socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    if (socket instanceof Socket) response.assignSocket(socket);
    response.once('finish', () => socket.end());
    handle(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (options.unreadable.has(socket)) return;
    const { head, body } = refusalText('json', UNREADABLE[error.code ?? ''] ?? 400);
    socket.end(`${head}Connection: close\r\n\r\n${body}`);
  });

  const lane = FastLane.before(server, options);

  const sockets = () => {
    const [general, fast] = [poolSize(), lane.pool.size()];
    return { busy: general.busy + fast.busy, free: general.free + fast.free };
  };

  const report = () => tell({ type: 'report', usage: usage.take(), measured: metrics.take(), sockets: sockets() });
  const reporting = setInterval(report, REPORT_EVERY);

  /** Open WebSockets of keys that are gone end at once. */
  const endRevoked = () => {
    for (const tunnel of tunnels) {
      if (tunnel.keyId !== undefined && !state.keys.byId(tunnel.keyId)) tunnel.end();
    }
  };

  function drain(): void {
    clearInterval(reporting);
    const finish = () => {
      report();
      // The report must reach the primary before the channel closes.
      setImmediate(() => process.disconnect());
    };
    const force = setTimeout(() => {
      server.closeAllConnections();
      lane.closeAll();
    }, DRAIN);
    const farewell = setTimeout(() => {
      for (const tunnel of tunnels) tunnel.end();
    }, TUNNEL_GRACE);
    server.close(() => {
      clearTimeout(force);
      clearTimeout(farewell);
      finish();
    });
    server.closeIdleConnections();
    lane.drain();
  }

  let listening = false;
  process.on('message', (message: ToWorker) => {
    if (message.type === 'drain') return drain();
    state.apply(message.update);
    endRevoked();
    if (listening) return;
    listening = true;
    server.listen({ port: config.PORT, host: config.HOST }, () => tell({ type: 'serving' }));
  });
  server.once('error', (error) => tell({ type: 'failed', reason: error.message }));
  process.once('disconnect', () => process.exit(0));
  // The terminal signals the whole group; the primary decides when to drain.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}
