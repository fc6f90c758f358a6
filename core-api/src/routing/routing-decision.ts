import type { RateLimit, VersionRef } from './config-snapshot';
import type { HostPolicy } from './hosts/host-policy';
import type { Site } from './hosts/site';
import type { RefusalReason } from './refusal-reason';
import type { Upstream } from './upstream';

/** Kinds of traffic. The names are in metrics and in the access log. */
export type TrafficKind = 'studio' | 'gateway' | 'site' | 'unknown';

/** Rate limit of a key, for all its secrets together, or of one client at a host. */
export interface CountedLimit extends RateLimit {
  counterId: string;
}

interface DecisionDetails {
  kind: TrafficKind;
  /** Set as soon as the route is known, for refusals too. */
  routeId?: string;
  serviceId?: string;
  keyId?: string;
  site?: Site;
  /** The rules of the site's host. */
  policy?: HostPolicy | undefined;
  /** CORS lines for the response, each with its CRLF. They replace the upstream's own `Access-Control-*` lines. */
  corsLines?: string;
  /**
   * The decision is valid only if this limit permits the request. If the limit is exceeded, the caller uses
   * `toRateLimitedDecision` (contract §5).
   */
  limit?: CountedLimit | undefined;
}

/** Forward the request, or a WebSocket upgrade, to an upstream. */
export interface ForwardDecision extends DecisionDetails {
  kind: Exclude<TrafficKind, 'unknown'>;
  action: 'forward';
  upstreams: readonly Upstream[];
  /** Path and query of the forwarded request line. */
  path: string;
  /** Host header of the forwarded request. */
  host: string;
  /** Time limit for the first byte of the response, ms, by default the limit of the edge. */
  timeoutMs?: number | undefined;
  maxBodyBytes?: number | undefined;
  /** True if `Authorization` is removed, because it contained the password of the host. */
  dropsAuthorization?: boolean;
  /** Instant at which the key expires, ms since the epoch. */
  expiresAt?: number;
}

/** Answer a CORS preflight with 204. */
interface PreflightDecision extends DecisionDetails {
  action: 'preflight';
  corsLines: string;
}

/** Serve a file from the folder of a static site. */
export interface FileDecision extends DecisionDetails {
  action: 'file';
  folder: string;
  /** True if navigations to unknown paths are answered with the root's `index.html`. */
  spaFallback: boolean;
}

/** Serve a version of a site. The manifest of the version determines the file, the redirect or the status. */
export interface VersionDecision extends DecisionDetails {
  action: 'version';
  current: VersionRef;
  /** Earlier versions, the newest first. Pages that are still open may request files of these versions. */
  earlier: readonly VersionRef[];
  spaFallback: boolean;
  /** True if the response gets `X-Robots-Tag: noindex`. */
  noindex: boolean;
}

export interface RefusalDecision extends DecisionDetails {
  action: 'refuse';
  status: number;
  reason: RefusalReason;
  /** Value of `Allow` for a 405. */
  allow?: string;
  /** Value of `Retry-After`, seconds. */
  retryAfterS?: number | undefined;
  /** Name of a paused site, shown on its page. */
  siteName?: string;
  /** Text of the maintenance page. */
  text?: string | undefined;
}

/** Redirect to the target host of a domain (308), or to the target of a rule of the host. */
interface RedirectDecision extends DecisionDetails {
  action: 'redirect';
  by: 'domain' | 'rule';
  status: number;
  location: string;
}

/** Ask the core to verify a password of Basic authentication, then decide again. */
interface VerifyDecision extends DecisionDetails {
  action: 'verify';
  /** Signs the access cookies of the host. A new password has a new key. */
  key: Buffer;
  password: string;
}

export type RoutingDecision =
  | ForwardDecision
  | FileDecision
  | VersionDecision
  | PreflightDecision
  | RefusalDecision
  | RedirectDecision
  | VerifyDecision;
