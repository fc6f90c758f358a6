import { parseTraceParent } from '../../platform/tracing/trace-parent';
import { type ClientAddress, resolveClientAddress } from '../../routing/client-address';
import type { RequestAttributes } from '../../routing/decide';
import { toFlatCopy } from '../engine/message/flat-copy';
import { listValues, unforwardedInRequests } from '../engine/message/header-fields';
import type { Field, Fields } from '../engine/types';
import { formatClientFields } from '../telemetry/log-json';

const SAFE_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Fields that no client may set, because some upstreams take address, path or caller from them. */
const NEVER_FROM_CLIENTS = new Set([
  'forwarded',
  'proxy',
  'traceparent',
  'tracestate',
  'true-client-ip',
  'x-original-url',
  'x-real-ip',
  'x-request-id',
  'x-rewrite-url',
]);
/** Fields with the client's address. Applications trust these fields, so only trusted proxies may set them. */
const ONLY_FROM_PROXIES = new Set([
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'client-ip',
  'fastly-client-ip',
  'forwarded-for',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-remote-addr',
  'x-remote-ip',
]);
const RESERVED_PREFIX = /^x-(?:forwarded|tenant|gateway)-/;
/** The gateway forwards neither the key nor headers that override the method. */
const NEVER_TO_SERVICES = new Set(['x-api-key', 'x-http-method', 'x-http-method-override', 'x-method-override']);

/**
 * The upstreams to which a header field of a client is forwarded. `sites` are sites and the studio, not the services of
 * the gateway. `fromProxies` is forwarded everywhere, but only from a trusted proxy.
 */
type ForwardingScope = 'nowhere' | 'fromProxies' | 'sites' | 'everywhere';

function classify(name: string): ForwardingScope {
  // Many servers treat `_` as `-`, and some treat every character except letters and digits as `-`.
  const canonical = name.replace(/[^a-z0-9]/g, '-');
  if (NEVER_FROM_CLIENTS.has(canonical) || RESERVED_PREFIX.test(canonical)) return 'nowhere';
  if (ONLY_FROM_PROXIES.has(canonical)) return 'fromProxies';
  if (canonical !== name && unforwardedInRequests.has(canonical)) return 'nowhere';
  return name.includes('_') || NEVER_TO_SERVICES.has(canonical) ? 'sites' : 'everywhere';
}

const MAX_CACHED = 1_000;
const scopes = new Map<string, ForwardingScope>();

function getScope(name: string): ForwardingScope {
  const cached = scopes.get(name);
  if (cached !== undefined) return cached;
  if (scopes.size >= MAX_CACHED) scopes.clear();
  const scope = classify(name);
  scopes.set(name, scope);
  return scope;
}

/** Reads the fields that the edge interprets. Two schemes in `X-Forwarded-Proto` join to a text that is not `https`. */
function readFields(fields: Fields, viaName: string) {
  const parsed = {
    secrets: [] as string[],
    isLoop: false,
    origin: undefined as string | undefined,
    preflightMethod: undefined as string | undefined,
    joinedProto: '',
    forwarded: [] as string[],
    ids: [] as string[],
    trace: [] as Field[],
  };
  for (const field of fields) {
    const { name, value } = field;
    if (name === 'x-api-key') parsed.secrets.push(value);
    else if (name === 'via') parsed.isLoop ||= value.includes(viaName);
    else if (name === 'origin') parsed.origin = parsed.origin === undefined ? value : '';
    else if (name === 'access-control-request-method') parsed.preflightMethod = value;
    else if (name === 'x-forwarded-for') parsed.forwarded.push(value);
    else if (name === 'x-forwarded-proto') parsed.joinedProto += value;
    else if (name === 'x-request-id') parsed.ids.push(value);
    else if (name === 'traceparent' || name === 'tracestate') parsed.trace.push(field);
  }
  return parsed;
}

/** Attributes of a request that depend only on its header block and peer. The engine caches them with the block. */
export class ParsedHeaders implements RequestAttributes {
  readonly secrets: string[];
  readonly isLoop: boolean;
  readonly client: ClientAddress;
  /** `X-Request-Id` of a trusted peer. */
  readonly requestId: string | undefined;
  /** `X-Request-Id` of any other client, which only the access log contains. */
  readonly clientRequestId: string | undefined;
  /** Trace headers of a trusted peer. */
  readonly traceLines: string | undefined;
  /** Value of `Origin`, or '' if there are several values. */
  readonly origin: string | undefined;
  /** Value of `Access-Control-Request-Method`. */
  readonly preflightMethod: string | undefined;
  private readonly edgeLines: string;
  private gatewayLines: string | undefined;
  private siteLines: string | undefined;
  private isFlat = false;
  private cachedLogFields: string | undefined;

  /** @param viaName name of this edge in `Via` */
  constructor(
    private readonly fields: Fields,
    peer: string,
    isTrustedProxy: (address: string) => boolean,
    viaName: string,
    readonly checkPassword?: RequestAttributes['checkPassword'],
  ) {
    const parsed = readFields(fields, viaName);
    this.secrets = parsed.secrets;
    this.client = resolveClientAddress(peer, parsed.forwarded, isTrustedProxy);
    const { isBehindProxy, forwardedFor } = this.client;
    const [id = ''] = parsed.ids;
    const safeId = parsed.ids.length === 1 && SAFE_ID.test(id) ? id : undefined;
    this.isLoop = parsed.isLoop;
    this.origin = parsed.origin;
    this.preflightMethod = parsed.preflightMethod;
    this.requestId = isBehindProxy ? safeId : undefined;
    this.clientRequestId = isBehindProxy ? undefined : safeId;
    this.traceLines = isBehindProxy ? selectTraceLines(parsed.trace) : undefined;
    const proto = isBehindProxy && parsed.joinedProto === 'https' ? 'https' : 'http';
    this.edgeLines = `X-Forwarded-For: ${forwardedFor}\r\nX-Forwarded-Proto: ${proto}\r\nVia: 1.1 ${viaName}\r\n`;
  }

  /** Returns the cached fields of a log line that depend only on the block. @param host the Host field of the block */
  getClientLogFields(host: string): string {
    this.cachedLogFields ??= formatClientFields(this.client.address, host);
    return this.cachedLogFields;
  }

  get address(): string {
    return this.client.address;
  }

  /** Values of `Cookie`; only hosts with a password need them. */
  get cookie(): string | undefined {
    return this.joinValues('cookie');
  }

  get authorization(): string | undefined {
    return this.joinValues('authorization');
  }

  get acceptsHtml(): boolean {
    return /\btext\/html\b/.test(this.joinValues('accept') ?? '');
  }

  private joinValues(name: string): string | undefined {
    const values = listValues(this.fields, name);
    return values.length === 0 ? undefined : values.join('; ');
  }

  /** Returns the cached header lines for the upstream that depend only on the block. */
  getUpstreamLines(kind: 'gateway' | 'site' | 'studio'): string {
    if (kind === 'gateway') {
      this.gatewayLines = this.flattenOnReuse(this.gatewayLines) ?? this.createLines({ forServices: true });
      return this.gatewayLines;
    }
    this.siteLines = this.flattenOnReuse(this.siteLines) ?? this.createLines({ forServices: false });
    return this.siteLines;
  }

  /** Flattens a text at its second use, which suggests many further uses. */
  private flattenOnReuse(lines: string | undefined): string | undefined {
    if (lines === undefined || this.isFlat) return lines;
    this.isFlat = true;
    return toFlatCopy(lines);
  }

  private createLines({ forServices }: { forServices: boolean }): string {
    const { isBehindProxy } = this.client;
    let lines = '';
    for (const { name, line, isForwarded } of this.fields) {
      const scope = isForwarded ? getScope(name) : 'nowhere';
      if (scope === 'everywhere' || (scope === 'sites' && !forServices) || (scope === 'fromProxies' && isBehindProxy))
        lines += line;
    }
    return lines + this.edgeLines;
  }
}

/** Returns the trace header lines; undefined without a valid `traceparent`. */
function selectTraceLines(fields: readonly Field[]): string | undefined {
  const [parent, ...otherParents] = fields.filter(({ name }) => name === 'traceparent');
  if (!parent || otherParents.length > 0 || !parseTraceParent(parent.value)) return undefined;
  const states = fields.filter(({ name }) => name === 'tracestate');
  return parent.line + states.map(({ line }) => line).join('');
}
