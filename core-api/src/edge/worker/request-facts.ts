import { type ClientAddress, clientAddress } from '../../decide/client-address';
import type { Facts } from '../../decide/decide';
import { readTraceParent } from '../../tracing/trace-parent';
import { requestHops } from '../http1/fields';
import { flat } from '../http1/flat';
import type { Field, Fields } from '../http1/types';
import { callerText } from './log-text';

const SAFE_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Only the edge says these, or they make an upstream see another address, path or caller. */
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
const OURS = /^x-(?:forwarded|tenant|gateway)-/;
/** At the gateway the method is the route's, and the key stays here. */
const NEVER_TO_SERVICES = new Set(['x-api-key', 'x-http-method', 'x-http-method-override', 'x-method-override']);

enum Kept {
  Nowhere,
  /** At sites and the studio, not at the gateway. */
  AtSites,
  Everywhere,
}

function judge(name: string): Kept {
  // Many servers take `_` for `-`, some whatever is no letter and no digit: what is ours by any such name is ours.
  const canonical = name.replace(/[^a-z0-9]/g, '-');
  if (NEVER_FROM_CLIENTS.has(canonical) || OURS.test(canonical)) return Kept.Nowhere;
  if (canonical !== name && requestHops.has(canonical)) return Kept.Nowhere;
  return name.includes('_') || NEVER_TO_SERVICES.has(canonical) ? Kept.AtSites : Kept.Everywhere;
}

const MAX_REMEMBERED = 1_000;
const verdicts = new Map<string, Kept>();

function keptOf(name: string): Kept {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  if (verdicts.size >= MAX_REMEMBERED) verdicts.clear();
  const verdict = judge(name);
  verdicts.set(name, verdict);
  return verdict;
}

/** What a header block says to the edge; kept by a connection as long as the block stays the same. */
export class RequestFacts implements Facts {
  readonly keys: string[] = [];
  readonly loops: boolean;
  readonly client: ClientAddress;
  /** The id of a trusted peer. */
  readonly requestId: string | undefined;
  /** Anybody else's: for the log alone. */
  readonly clientRequestId: string | undefined;
  /** The lines of a trusted peer. */
  readonly trace: string | undefined;
  /** It names an origin, so a page may want to read the answer. */
  readonly origin: string | undefined;
  /** `Access-Control-Request-Method`. */
  readonly asksMethod: string | undefined;
  private readonly set: string;
  private gatewayLines: string | undefined;
  private siteLines: string | undefined;
  private isFlat = false;
  private caller: string | undefined;

  /** @param mark this edge's own in `Via` */
  constructor(
    private readonly fields: Fields,
    peer: string,
    isTrusted: (address: string) => boolean,
    mark: string,
  ) {
    const seen = {
      loops: false,
      origin: undefined as string | undefined,
      asksMethod: undefined as string | undefined,
      proto: '',
      forwarded: [] as string[],
      ids: [] as string[],
      trace: [] as Field[],
    };
    for (const field of fields) {
      const { name, value } = field;
      if (name === 'x-api-key') this.keys.push(value);
      else if (name === 'via') seen.loops ||= value.includes(mark);
      else if (name === 'origin') seen.origin = seen.origin === undefined ? value : '';
      else if (name === 'access-control-request-method') seen.asksMethod = value;
      else if (name === 'x-forwarded-for') seen.forwarded.push(value);
      else if (name === 'x-forwarded-proto') seen.proto += value;
      else if (name === 'x-request-id') seen.ids.push(value);
      else if (name === 'traceparent' || name === 'tracestate') seen.trace.push(field);
    }
    this.client = clientAddress(peer, seen.forwarded, isTrusted);
    const { trusted, forwardedFor } = this.client;
    const [id = ''] = seen.ids;
    const safe = seen.ids.length === 1 && SAFE_ID.test(id) ? id : undefined;
    this.loops = seen.loops;
    this.origin = seen.origin;
    this.asksMethod = seen.asksMethod;
    this.requestId = trusted ? safe : undefined;
    this.clientRequestId = trusted ? undefined : safe;
    this.trace = trusted ? traceLines(seen.trace) : undefined;
    const proto = trusted && seen.proto === 'https' ? 'https' : 'http';
    this.set = `X-Forwarded-For: ${forwardedFor}\r\nX-Forwarded-Proto: ${proto}\r\nVia: 1.1 ${mark}\r\n`;
  }

  /** `callerText` of this block. @param host the block's own */
  logged(host: string): string {
    this.caller ??= callerText(this.client.address, host);
    return this.caller;
  }

  get address(): string {
    return this.client.address;
  }

  /** Lines for the upstream that depend on nothing but the block. */
  linesFor(kind: 'gateway' | 'site' | 'studio'): string {
    if (kind === 'gateway') {
      this.gatewayLines = this.again(this.gatewayLines) ?? this.kept(Kept.Everywhere) + this.set;
      return this.gatewayLines;
    }
    this.siteLines = this.again(this.siteLines) ?? this.kept(Kept.AtSites) + this.set;
    return this.siteLines;
  }

  /** What is asked for a second time is asked for often. */
  private again(lines: string | undefined): string | undefined {
    if (lines === undefined || this.isFlat) return lines;
    this.isFlat = true;
    return flat(lines);
  }

  private kept(least: Kept): string {
    let lines = '';
    for (const { name, line, hop } of this.fields) if (!hop && keptOf(name) >= least) lines += line;
    return lines;
  }
}

/** A trace that goes on; nothing where there is none that can be read. */
function traceLines(fields: readonly Field[]): string | undefined {
  const [parent, ...more] = fields.filter(({ name }) => name === 'traceparent');
  if (!parent || more.length > 0 || !readTraceParent(parent.value)) return undefined;
  return (
    parent.line +
    fields
      .filter(({ name }) => name === 'tracestate')
      .map(({ line }) => line)
      .join('')
  );
}
