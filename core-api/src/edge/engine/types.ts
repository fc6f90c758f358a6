import type { SecureContextOptions } from 'node:tls';
import type { Authority } from '../../platform/net/authority';
import type { Limits } from './limits';

/**
 * Public types of the HTTP/1.1 engine.
 * The engine parses and forwards messages, and enforces limits. Hosts, routes, keys and texts come from a `Handler`.
 *
 * The life of one request:
 * 1. The engine parses its head strictly. A rejected head reaches only `refuse` and `onExchangeEnded`.
 * 2. `parseHeaders` reads the header block. Its result is reused while a connection repeats a short block.
 * 3. `decide` returns a decision.
 * 4. The engine carries the decision out. Failures on the way are answered with `refuse`.
 * 5. `onExchangeEnded` is called exactly once, whatever happened.
 *
 * @typeParam ParsedHeaders the handler's result for a header block
 * @typeParam HandlerDecision the handler's decisions, with the properties that `onExchangeEnded` needs (kind, key, route)
 */
export interface Handler<ParsedHeaders, HandlerDecision extends Decision = Decision> {
  /**
   * Returns everything that depends only on the header block and the peer: client address, upstream lines, keys. The
   * result is cached with the block, so it must not depend on the configuration, the request line or the time.
   * @param peer the socket's remote address, IPv4-mapped IPv6 as IPv4
   */
  parseHeaders(fields: Fields, peer: string): ParsedHeaders;
  /**
   * Called once per request, before its body is read. A promise delays only this connection (a file to open, a lease to
   * wait for). An exception or a rejection ends this connection and nothing else.
   */
  decide(
    exchange: Exchange<ParsedHeaders, HandlerDecision>,
    parsedHeaders: ParsedHeaders,
  ): HandlerDecision | Promise<HandlerDecision>;
  /**
   * Returns the reply for a request that the engine refuses or could not forward; `exchange.reason` has the cause. For
   * a rejected head `exchange.parsedHeaders` is missing, and `method`, `target` and `host` may be ''.
   * @param status 400, 405, 408, 413, 414, 417, 431, 502, 503, 504 or 505
   */
  refuse(exchange: Exchange<ParsedHeaders, HandlerDecision>, status: number): LocalReply;
  /** Called when the exchange and its tunnel have ended. The engine neither changes nor keeps `exchange` afterwards. */
  onExchangeEnded(exchange: Exchange<ParsedHeaders, HandlerDecision>): void;
  /**
   * Called at each tick for a forwarded response that is still under way `reauthorizeAfterMs` after its request.
   * @returns false to destroy the connection with the reason 'revoked'
   */
  isStillAuthorized?(exchange: Exchange<ParsedHeaders, HandlerDecision>): boolean;
  /** Called when a tunnel is open, after the upstream's 101 was forwarded. */
  onTunnelOpened?(tunnel: Tunnel<ParsedHeaders, HandlerDecision>): void;
  /** Called after an exception, which ends at most one client connection. */
  onFault(error: unknown, exchange: Exchange<ParsedHeaders, HandlerDecision> | undefined): void;
  /** Returns whether an IP address is allowed. Called at each connect, for literals and for each address of a name. */
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
  /**
   * Returns the key under which a peer's connections are limited: its address, or the network that one client owns
   * (IPv6). Undefined for peers without a limit (loopback, trusted proxies).
   */
  getClientKey(peer: string): string | undefined;
}

/** One header line of a request. */
export interface Field {
  /** The name in lower case. */
  readonly name: string;
  /** Latin-1, without surrounding blanks. */
  readonly value: string;
  /** The line as received, with its CRLF. */
  readonly line: string;
  /**
   * True if the handler may put the line into `Forward.headerLines`. False for hop-by-hop fields, fields
   * that `Connection` lists, and fields that the engine writes itself (Host, framing, `Expect`, `TE`, `Upgrade`).
   */
  readonly isForwarded: boolean;
}

/** The lines of a header block in their order. Repeated fields stay separate. */
export type Fields = readonly Field[];

/** Declared length of a request body in bytes, or 'chunked'; 0 without a body. */
export type BodyLength = number | 'chunked';

/** One request and its result. The properties from `decision` on are set after `decide` was called. */
export interface Exchange<ParsedHeaders, HandlerDecision extends Decision = Decision> {
  /** A method of `METHODS` in `node:http`, except CONNECT and TRACE. For a rejected head, any received name or ''. */
  readonly method: string;
  /** Path and query without scheme and authority of an absolute form, or `*` for OPTIONS. Raw in a rejected head. */
  readonly target: string;
  /** The Host field or the authority of an absolute-form target, with its port; '' for HTTP/1.0 without Host. */
  readonly host: string;
  /** The x of HTTP/1.x. */
  readonly minorVersion: 0 | 1;
  readonly fields: Fields;
  readonly bodyLength: BodyLength;
  /** True for a valid WebSocket upgrade, which is forwarded. Any other `Upgrade` field is dropped. */
  readonly isUpgrade: boolean;
  /** The socket's remote address, IPv4-mapped IPv6 as IPv4. */
  readonly peer: string;
  /** Result of `parseHeaders`, or undefined for a rejected head. */
  readonly parsedHeaders: ParsedHeaders | undefined;
  /** Time at which the head was complete, by `monotonicNow`. */
  readonly startedAt: number;

  readonly decision: HandlerDecision | undefined;
  /** 0 until the response begins, 101 for a tunnel, and `CLIENT_GONE` if the client disconnected before a response. */
  readonly status: number;
  readonly reason: FailureReason | undefined;
  /** Bytes of the request as received and of the response as sent, heads and bodies. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The upstream that was used last. */
  readonly upstream: Upstream | undefined;
  /** Time from the write of the request head to the upstream's response head, ms, or undefined without a response. */
  readonly upstreamMs: number | undefined;
  /** Time from `startedAt` to the end, ms. */
  readonly durationMs: number;
}

/** Status of an exchange whose client left before the response. nginx uses the same number. */
export const CLIENT_GONE = 499;

/** The reason why the engine refused a request, or why a response is incomplete. */
export type FailureReason =
  | 'malformed'
  | 'version'
  | 'method'
  | 'head_too_large'
  | 'head_timeout'
  | 'expectation'
  | 'body_malformed'
  | 'body_too_large'
  | 'body_timeout'
  | 'too_many_connections'
  | 'queue_full'
  | 'queue_timeout'
  | 'connect_failed'
  | 'connect_timeout'
  | 'target_forbidden'
  | 'upstream_timeout'
  | 'upstream_malformed'
  | 'upstream_closed'
  | 'source_ended'
  | 'client_gone'
  | 'client_stalled'
  | 'revoked'
  | 'fault';

export type Decision = Forward | LocalReply;

/** Host and port of a server. Two objects with the same values are the same upstream. */
export interface Upstream extends Authority {
  /** The upstream's own `Host` value: `host:port`, without the scheme's default port. */
  readonly authority: string;
}

export interface Forward {
  readonly action: 'forward';
  /**
   * Interchangeable instances; `chooseInstance` picks one. A request moves to another healthy instance if the queue is
   * full, or if that instance has room while the request waits. It moves to any untried instance if the connect fails,
   * or if the request is retryable and its connection ends before the first byte of the response. The same instance is
   * tried again only after a stale connection.
   */
  readonly upstreams: readonly Upstream[];
  /** Path and query of the forwarded request line. */
  readonly path: string;
  /** Latin-1 header lines for the upstream, with CRLFs: Host first, no framing, hop-by-hop fields or `Expect`. */
  readonly headerLines: string;
  /** True if `headerLines` has no Host, so that the engine adds the authority of the chosen instance. */
  readonly usesUpstreamHost?: boolean;
  /** Time limit from the last byte of the request to the end of the response head, ms. Exceeding it gives 504. */
  readonly timeoutMs: number;
  /** A body that is longer is refused with 413. */
  readonly maxBodyBytes: number;
  /** Lines that are added to the response, each with its CRLF (`X-Request-Id`, CORS). */
  readonly responseLines: string;
  /** Rewrites the upstream's header lines. Caching is per function, so different rules need different functions. */
  readonly rewriteHeader?: HeaderRewrite;
  /** Time of the system clock at which a tunnel is closed, ms since the epoch. */
  readonly expiresAt?: number;
}

/**
 * Rewrites a header line of a response.
 * @param name in lower case
 * @param line as received, with its CRLF
 * @returns the forwarded line, or '' to drop the line
 */
export type HeaderRewrite = (name: string, value: string, line: string) => string;

/** A response of the edge itself (Envoy's "local reply"). */
export interface LocalReply {
  readonly action: 'reply';
  /** 200–599. */
  readonly status: number;
  /** ASCII header lines, each with its CRLF. The engine adds `Date`, `Content-Length` and `Connection`. */
  readonly headerLines: string;
  /** Text is sent as UTF-8. HEAD, 204 and 304 send no body; HEAD and 304 still declare its length. */
  readonly body?: string | Uint8Array | ByteSource;
}

/** A body that is streamed with back-pressure. */
export interface ByteSource {
  /** Exact number of bytes. The connection is destroyed if the source returns more or fewer bytes. */
  readonly length: number;
  /**
   * Returns the next piece, or undefined at the end. An early end or an exception destroys the connection, so
   * that no incomplete body looks complete.
   */
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Called exactly once, even if no byte was read. */
  close(): void;
}

/** An open WebSocket. */
export interface Tunnel<ParsedHeaders, HandlerDecision extends Decision = Decision> {
  readonly exchange: Exchange<ParsedHeaders, HandlerDecision>;
  /** Time of the system clock at which the tunnel is closed. A new authorization may change it. */
  expiresAt: number | undefined;
  /** Sends a close frame with 1001 at the next frame boundary of each side, then ends both sides. */
  close(): void;
}

export interface EngineOptions {
  limits?: Partial<Limits>;
  /** TLS context for upstreams, to which tests add a certificate authority. */
  tls?: SecureContextOptions;
}

/** Key of all clients together, used in place of a key of `Handler.getClientKey`. */
export const ALL_CLIENTS = '';

export interface ClientConnectionCount {
  readonly client: string;
  readonly open: number;
  /** Open connections that are between two requests. */
  readonly idle: number;
}

/** Current values, and totals since the start. */
export interface Gauges {
  clients: number;
  tunnels: number;
  /** Requests in the queues of upstreams. */
  queued: number;
  upstreamBusy: number;
  upstreamFree: number;
  faultsTotal: number;
  /** Connections closed or refused because of a limit. */
  limitedTotal: number;
}
