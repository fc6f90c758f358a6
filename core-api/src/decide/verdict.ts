import type { RateLimit } from './rows';
import type { Site } from './site';
import type { Upstream } from './upstream';

/** Kinds of traffic, as metrics and the access log name them. */
export type TrafficKind = 'studio' | 'gateway' | 'site' | 'unknown';

/** Why a request is refused. The order is that in which a request is judged. */
export type RefusalReason =
  | 'loop'
  | 'unknown_host'
  | 'site_unusable'
  | 'paused'
  | 'path'
  | 'no_route'
  | 'method'
  | 'no_key'
  | 'unknown_key'
  | 'disabled'
  | 'expired'
  | 'rotated'
  | 'address'
  | 'permission'
  | 'rate_limited'
  | 'body_too_large';

/** The limit of a key, shared by all its secrets. */
export interface KeyLimit extends RateLimit {
  keyId: string;
}

interface Judged {
  kind: TrafficKind;
  /** Once they are known, whatever the verdict. */
  routeId?: string;
  serviceId?: string;
  keyId?: string;
  site?: Site;
  /** Header lines that any answer for the service gains, each with its CRLF; then the service's own of that kind go. */
  cors?: string;
  /** It stands only if the key's limit has room for it; else the refusal of step 4a is in its place. */
  limit?: KeyLimit;
}

/** To an upstream; a WebSocket upgrade too. */
export interface ForwardVerdict extends Judged {
  action: 'forward';
  /** Instances, any of which will do. */
  upstreams: readonly Upstream[];
  /** Path and query for the request line. */
  path: string;
  /** The Host that the upstream sees. */
  host: string;
  /** Until the answer's first byte; the edge's own limit where it is missing. */
  timeoutMs?: number;
  maxBodyBytes?: number;
  /** When what it was let through by ends, ms since the epoch. */
  endsAt?: number;
}

/** A browser's question whether a page may send a request, answered without a body. */
interface PreflightVerdict extends Judged {
  action: 'preflight';
  cors: string;
}

/** From the folder of a static site. */
interface FileVerdict extends Judged {
  action: 'file';
  folder: string;
}

export interface RefuseVerdict extends Judged {
  action: 'refuse';
  status: number;
  reason: RefusalReason;
  /** Of a 405. */
  allow?: string;
  /** Seconds until another attempt makes sense. */
  retryAfterS?: number;
  /** Name of the site, for its page. */
  about?: string;
}

/** To another name of the same site, for good: 308, whatever the method. */
interface RedirectVerdict extends Judged {
  action: 'redirect';
  /** With the port that was asked for. */
  host: string;
  /** Path and query. */
  path: string;
}

export type Verdict = ForwardVerdict | FileVerdict | PreflightVerdict | RefuseVerdict | RedirectVerdict;
