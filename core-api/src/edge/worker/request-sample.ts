import type { RequestEntry } from '../../gateway/requests/request-log.service';
import { timeOfDay } from '../http1/exchange';
import { CLIENT_GONE, type Exchange } from '../http1/types';
import type { Decided } from './decided';
import type { RequestFacts } from './request-facts';

/** Per report; the weights of the sampled requests represent the others. */
const MAX_FAILURES = 25;
const MAX_SUCCESSES = 10;
const MAX_PATH_LENGTH = 1024;
const MAX_ID_LENGTH = 64;

/** Reservoir sampling: each item has the same chance (Vitter's algorithm R). */
class Reservoir<Item> {
  private kept: Item[] = [];
  private count = 0;

  constructor(private readonly size: number) {}

  add(item: Item): void {
    this.count += 1;
    if (this.kept.length < this.size) this.kept.push(item);
    else {
      const place = Math.floor(Math.random() * this.count);
      if (place < this.size) this.kept[place] = item;
    }
  }

  /** @returns the sampled items; their weights add up to the number of added items */
  take(): { item: Item; weight: number }[] {
    const { kept, count } = this;
    this.kept = [];
    this.count = 0;
    const share = Math.floor(count / kept.length);
    return kept.map((item, index) => ({ item, weight: share + (index < count % kept.length ? 1 : 0) }));
  }
}

type AnsweredExchange = Exchange<RequestFacts, Decided>;

/**
 * Samples requests at the gateway and at sites for the request log: all of them at low rates; at high rates refusals and
 * errors have a share of their own. Rows are built only for the sampled requests.
 */
export class RequestSample {
  private readonly failures = new Reservoir<AnsweredExchange>(MAX_FAILURES);
  private readonly successes = new Reservoir<AnsweredExchange>(MAX_SUCCESSES);

  add(exchange: AnsweredExchange): void {
    const kind = exchange.decision?.kind;
    if (kind !== 'gateway' && kind !== 'site') return;
    if (exchange.status >= 400 && exchange.status !== CLIENT_GONE) this.failures.add(exchange);
    else this.successes.add(exchange);
  }

  /** Everything since the last call. */
  take(): RequestEntry[] {
    return [...this.failures.take(), ...this.successes.take()].map(({ item, weight }) => entryOf(item, weight));
  }
}

function entryOf(exchange: AnsweredExchange, weight: number): RequestEntry {
  const { method, target, status, durationMs, startedAt, context, decision, peer } = exchange;
  const query = target.indexOf('?');
  const site = decision?.site;
  const kind = decision?.kind === 'gateway' ? 'gateway' : site?.tenant ? 'tenant' : 'subdomain';
  const reason = decision?.reason ?? exchange.reason ?? null;
  return {
    at: new Date(timeOfDay(startedAt)).toISOString(),
    kind,
    method: method.slice(0, 16),
    path: (query < 0 ? target : target.slice(0, query)).slice(0, MAX_PATH_LENGTH),
    status,
    reason: reason === 'client_gone' ? null : reason,
    ms: Math.round(durationMs),
    clientIp: (context?.address ?? peer).slice(0, MAX_ID_LENGTH),
    requestId: (decision?.requestId ?? '').slice(0, MAX_ID_LENGTH),
    keyId: decision?.keyId ?? null,
    routeId: decision?.routeId ?? null,
    subdomainId: site && !site.tenant ? site.id : null,
    tenantId: site?.tenant?.id ?? null,
    weight,
  };
}
