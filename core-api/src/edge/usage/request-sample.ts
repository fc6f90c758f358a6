import type { RequestEntry } from '../../features/gateway/requests/request-log.service';
import { removeQuery } from '../../routing/routes/request-path';
import { toWallClock } from '../engine/clock';
import { CLIENT_GONE } from '../engine/types';
import type { EdgeExchange } from '../handler/edge-decision';

/** Maximum numbers of sampled requests per report. Weights represent the requests that were not sampled. */
const MAX_FAILURES = 25;
const MAX_SUCCESSES = 10;
const MAX_PATH_LENGTH = 1024;
const MAX_ID_OR_IP_LENGTH = 64;

/** Reservoir sampling with the same chance for each item (Vitter's algorithm R). */
class Reservoir<Item> {
  private sampled: Item[] = [];
  private count = 0;

  constructor(private readonly size: number) {}

  add(item: Item): void {
    this.count += 1;
    if (this.sampled.length < this.size) this.sampled.push(item);
    else {
      const index = Math.floor(Math.random() * this.count);
      if (index < this.size) this.sampled[index] = item;
    }
  }

  /** Removes and returns the sampled items. Their weights add up to the number of added items. */
  take(): { item: Item; weight: number }[] {
    const { sampled, count } = this;
    this.sampled = [];
    this.count = 0;
    const share = Math.floor(count / sampled.length);
    return sampled.map((item, index) => ({ item, weight: share + (index < count % sampled.length ? 1 : 0) }));
  }
}

/**
 * Samples the requests of one worker to the gateway and to sites, for the request log. Failures have a separate
 * reservoir, so that successful requests cannot displace them. Rows are built for sampled requests only.
 */
export class RequestSample {
  private readonly failures = new Reservoir<EdgeExchange>(MAX_FAILURES);
  private readonly successes = new Reservoir<EdgeExchange>(MAX_SUCCESSES);

  add(exchange: EdgeExchange): void {
    const kind = exchange.decision?.kind;
    if (kind !== 'gateway' && kind !== 'site') return;
    if (exchange.status >= 400 && exchange.status !== CLIENT_GONE) this.failures.add(exchange);
    else this.successes.add(exchange);
  }

  /** Returns the sample since the last call, and starts a new sample. */
  take(): RequestEntry[] {
    return [...this.failures.take(), ...this.successes.take()].map(({ item, weight }) => toEntry(item, weight));
  }
}

function toEntry(exchange: EdgeExchange, weight: number): RequestEntry {
  const { method, target, status, durationMs, startedAt, parsedHeaders, decision, peer } = exchange;
  const site = decision?.site;
  const siteKind = site?.tenant ? 'tenant' : 'subdomain';
  const reason = decision?.reason ?? exchange.reason ?? null;
  return {
    at: new Date(toWallClock(startedAt)).toISOString(),
    kind: decision?.kind === 'gateway' ? 'gateway' : siteKind,
    method: method.slice(0, 16),
    path: removeQuery(target).slice(0, MAX_PATH_LENGTH),
    status,
    reason: reason === 'client_gone' ? null : reason,
    ms: Math.round(durationMs),
    clientIp: (parsedHeaders?.address ?? peer).slice(0, MAX_ID_OR_IP_LENGTH),
    requestId: (decision?.requestId ?? '').slice(0, MAX_ID_OR_IP_LENGTH),
    keyId: decision?.keyId ?? null,
    routeId: decision?.routeId ?? null,
    subdomainId: site && !site.tenant ? site.id : null,
    tenantId: site?.tenant?.id ?? null,
    weight,
  };
}
