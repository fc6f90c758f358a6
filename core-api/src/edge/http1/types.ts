import type { SecureContextOptions } from 'node:tls';

/**
 * What the HTTP/1.1 engine is handed and what it gives. It reads, frames, forwards and limits; it knows no host, route, key
 * or text of the product: those come from a `Handler`.
 *
 * In the order in which things happen to one request:
 * 1. its head is read; one that cannot be read strictly never reaches the handler, but for `refuse` and `ended`;
 * 2. `read` looks at the header block, once for all requests of a connection that repeat it byte by byte;
 * 3. `decide` says what becomes of it;
 * 4. the engine does so; what goes wrong on the way is answered with `refuse`;
 * 5. `ended`, exactly once, whatever happened.
 *
 * @typeParam C what the handler read from a header block
 * @typeParam D decisions with whatever the handler wants to find again in `ended` (kind, key, route, reason)
 */
export interface Handler<C, D extends Decision = Decision> {
  /**
   * Everything that depends on the header block and the peer alone: the client's address, the lines for the upstream, keys.
   * Kept with the block, so it must not depend on the configuration; method, target and time are not known here.
   * @param peer the socket's remote address, IPv4-mapped IPv6 as IPv4
   */
  read(fields: Fields, peer: string): C;
  /**
   * Called once per request, before its body is read. Synchronous in the plain case; a promise holds this connection alone
   * (a file to open, a lease to wait for). What it throws or rejects with is a fault: that connection ends, nothing more.
   */
  decide(exchange: Exchange<C, D>, context: C): D | Promise<D>;
  /**
   * The answer for what the engine refuses or could not get. `exchange.reason` says why. Called for unreadable heads too:
   * then `exchange.context` is missing and `method`, `target` and `host` are as far as they could be read, else ''.
   * @param status 400, 405, 408, 413, 414, 417, 431, 502, 503, 504 or 505
   */
  refuse(exchange: Exchange<C, D>, status: number): Answer;
  /** The exchange is over: for a tunnel, when it closed. Its figures are final; the object is not used again. */
  ended(exchange: Exchange<C, D>): void;
  /**
   * Whether an upstream's answer that is still under way `judgedAnewMs` after its request may go on; asked at each tick. One
   * that may not is cut, and its reason is 'revoked'.
   */
  mayGoOn?(exchange: Exchange<C, D>): boolean;
  /** A tunnel stands: the upstream's 101 has been passed on. */
  upgraded?(tunnel: Tunnel<C, D>): void;
  /** Something threw while a socket's event was handled. The connection has been ended; the process goes on. */
  fault(error: unknown, exchange: Exchange<C, D> | undefined): void;
  /** Whether an address may be connected to for an upstream; asked at each connect, for literals and for all that a name resolves to. */
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
  /**
   * What a peer's connections are counted under against the limit per address: its address, or the network that one client
   * has to itself. Nothing for peers that are not counted (loopback, trusted proxies).
   */
  countedAs(peer: string): string | undefined;
}

/** One header line of a request. */
export interface Field {
  /** Lower case. */
  readonly name: string;
  /** Latin-1, without the blanks around it. */
  readonly value: string;
  /** As received, with its CRLF. */
  readonly line: string;
  /**
   * Not for the next hop: hop-by-hop names, those that `Connection` names, and what the engine writes itself (Host, framing,
   * `Expect`, `TE`, `Upgrade`, `HTTP2-Settings`). All others go to the upstream if the handler puts them into `Forward.lines`.
   */
  readonly hop: boolean;
}

/** A header block, in its order, repetitions apart. */
export type Fields = readonly Field[];

/** One request and what became of it. Its first part is what `decide` judges. */
export interface Exchange<C, D extends Decision = Decision> {
  /** GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS or any other token but CONNECT and TRACE. */
  readonly method: string;
  /** Path and query as received (of an absolute-form target, what follows its authority); `*` for OPTIONS alone. No `#`. */
  readonly target: string;
  /** The Host field or an absolute-form target's authority, port included; '' where HTTP/1.0 has none. */
  readonly host: string;
  /** HTTP/1.x. */
  readonly minor: 0 | 1;
  readonly fields: Fields;
  /** Bytes of the body, or 'chunked'; 0 without one. */
  readonly body: number | 'chunked';
  /** A WebSocket upgrade in due form. Forwarded as one; every other `Upgrade` has been dropped. */
  readonly upgrade: boolean;
  /** The socket's remote address, IPv4-mapped IPv6 as IPv4. */
  readonly peer: string;
  /** What `read` returned; missing where the head could not be read. */
  readonly context: C | undefined;
  /** When the head was whole, by the steady clock (`steadyNow`): ms since the epoch, fractions included. */
  readonly startedAt: number;

  readonly decision: D | undefined;
  /** What was sent to the client; `CLIENT_GONE` when it left before, 101 for a tunnel, 0 until then. */
  readonly status: number;
  readonly reason: Reason | undefined;
  /** Bytes of the request's head and body as received, and of the answer's as sent. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The upstream that was used last. */
  readonly upstream: Upstream | undefined;
  /** From the request's handing over to the upstream until the head of its answer, ms; undefined without one. */
  readonly upstreamMs: number | undefined;
  /** From `startedAt` to the end, ms. */
  readonly durationMs: number;
}

/** The status of an exchange whose client left before its answer; the number is nginx's. */
export const CLIENT_GONE = 499;

/** Why the engine itself refused, or why an answer stayed unfinished. */
export type Reason =
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
  | 'draining'
  | 'fault';

export type Decision = Forward | Answer;

/** Where a request may go. Plain data: two objects with the same four values are the same upstream. */
export interface Upstream {
  /** Host name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Its own `Host` value: `host:port` but for the scheme's own port. */
  readonly authority: string;
}

/** Send it on. */
export interface Forward {
  readonly action: 'forward';
  /**
   * Instances: the less busy of two at random is taken, those out of health or without room left out while others are left.
   * One whose queue is full, or that has it wait while another one has room, hands the request to the next in health; one that
   * refuses the connection, or ends it before a byte of an answer to what may be repeated, to any; each is tried once.
   */
  readonly upstreams: readonly Upstream[];
  /** Path and query, as they go into the request line. */
  readonly path: string;
  /** The upstream's header lines, each with its CRLF, Latin-1: Host first; without framing, hop-by-hop and `Expect`. */
  readonly lines: string;
  /** `lines` have no Host: the instance that is taken gets its own. */
  readonly namesUpstream?: boolean;
  /** From the request's last byte to the answer's first, ms: 504 beyond. */
  readonly timeoutMs: number;
  /** A longer body is 413. */
  readonly maxBodyBytes: number;
  /** Lines that the client's answer gains, each with its CRLF (`X-Request-Id`, CORS). */
  readonly answerLines: string;
  /** Judges each line of the upstream's answer. Compared by identity and its results kept: one object per rule, not per request. */
  readonly edit?: AnswerEdit;
  /** When a tunnel ends, ms since the epoch. */
  readonly endsAt?: number;
}

/**
 * @param name lower case
 * @param line as received, with its CRLF
 * @returns the line as it goes on, '' to drop it
 */
export type AnswerEdit = (name: string, value: string, line: string) => string;

/** Answer it here. */
export interface Answer {
  readonly action: 'answer';
  /** 200–599. */
  readonly status: number;
  /** Header lines, each with its CRLF, ASCII; the engine adds `Date`, `Content-Length` and `Connection`. */
  readonly lines: string;
  /** Text goes out as UTF-8. For HEAD, 204 and 304 it is not sent; for HEAD and 304 its length is still told. */
  readonly body?: string | Uint8Array | ByteSource;
}

/** A body that is read while it is sent, no faster than the client takes it. */
export interface ByteSource {
  /** Exactly so many bytes come, or the connection is broken. */
  readonly length: number;
  /**
   * The next piece, nothing at the end. An end before `length` bytes breaks the connection, so that no short body looks whole;
   * what it throws is a fault and does so too.
   */
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Called exactly once, after the end or instead of it, also when no byte was asked for. */
  close(): void;
}

/** An open WebSocket. */
export interface Tunnel<C, D extends Decision = Decision> {
  readonly exchange: Exchange<C, D>;
  /** When it ends by itself, ms since the epoch; may be set anew when it was decided again. */
  endsAt: number | undefined;
  /** A close frame with 1001 where the stream stands between two frames, then the end of both sides. */
  end(): void;
}

/** Times in ms, sizes in bytes, connections of this engine alone. */
export interface Limits {
  headMs: number;
  headBytes: number;
  headFields: number;
  idleMs: number;
  /** A request's body comes at least this fast, bytes a second, once `bodyGraceMs` are over. */
  bodyRate: number;
  bodyGraceMs: number;
  /** A client that takes no byte for this long is cut. */
  stalledMs: number;
  /** After an answer that came before the request's end: how long, and how much more is read and dropped. */
  lingerMs: number;
  lingerBytes: number;
  connections: number;
  connectionsPerAddress: number;
  connectMs: number;
  /** How long an upstream connection is not used after its first answer; 0: it is used at once. */
  restMs: number;
  /** An upstream that sends nothing in the middle of an answer. */
  upstreamIdleMs: number;
  upstreamHeadBytes: number;
  /**
   * Per upstream: ordinary requests at once, those that wait, for how long, and tunnels with exchanges one of whose bodies
   * has been on its way for `longBodyMs`: less than `queueMs`, so that no crowd of slow clients keeps out the others.
   */
  upstreamConnections: number;
  /** Per upstream: connections that are kept for later requests. */
  upstreamIdleConnections: number;
  queueLength: number;
  queueMs: number;
  longBodyMs: number;
  longConnections: number;
  /** From then on an answer under way is judged again and again, since its request. */
  judgedAnewMs: number;
  /** In a drain: until tunnels are told, and until all is cut. */
  drainTunnelsMs: number;
  drainMs: number;
  /** How often times are looked at: no limit is kept more exactly. */
  tickMs: number;
}

export interface EngineOptions {
  limits?: Partial<Limits>;
  /** For upstreams with TLS (tests trust their own authority). */
  tls?: SecureContextOptions;
}

/** Stands for all clients, where others stand for what `Handler.countedAs` counts as one. */
export const EVERYBODY = '';

/** Connections of a client. */
export interface ClientUse {
  readonly client: string;
  readonly open: number;
  /** Of these, between requests. */
  readonly idle: number;
}

/** As of now. */
export interface Gauges {
  clients: number;
  tunnels: number;
  /** Requests that wait for an upstream connection. */
  queued: number;
  upstreamBusy: number;
  upstreamFree: number;
  /** Since the start. */
  faults: number;
  /** Connections closed or refused for a limit, since the start. */
  limited: number;
}
