import { generateKey, toKeyPrefix } from '../../features/gateway/keys/api-key';
import { type ApiKey, createKeySearchText } from '../../features/gateway/keys/key.entity';
import { createRouteSearchText } from '../../features/gateway/routes/route.entity';
import type { GatewayService } from '../../features/gateway/services/service.entity';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time/relative-time';
import type { MinuteCounts } from '../../platform/usage/counted-subject';
import type { HttpMethod } from '../../routing/http-method';
import { digestSecret } from '../../routing/keys/key-table';
import { createIdentity, pickCombination } from './demo';
import { Random } from './random';
import { words } from './words';

export function createDemoService(n: number, total: number, nowMs: number): GatewayService {
  const [service, , repetition] = pickCombination(n, words.services, ['']);
  const name = repetition === 1 ? service : `${service}-${repetition}`;
  return {
    ...createIdentity(n, total, nowMs),
    name,
    host: `http://localhost:${4100 + (n % 800)}`,
    extraHosts: [],
    healthPath: null,
    timeoutSeconds: 60,
    maxBodyMb: 100,
    cors: null,
  };
}

const ROUTE_TEMPLATES: readonly { path: string; methods: readonly HttpMethod[]; action: string }[] = [
  { path: '', methods: ['GET'], action: 'ler' },
  { path: '', methods: ['POST'], action: 'criar' },
  { path: '/:id', methods: ['GET'], action: 'ler' },
  { path: '/:id', methods: ['PUT', 'PATCH'], action: 'alterar' },
  { path: '/:id', methods: ['DELETE'], action: 'remover' },
  { path: '/arquivos/*', methods: ['GET'], action: 'ler' },
];

/** Creates the nth route of a service. */
export function createDemoRoute(n: number, total: number, nowMs: number, service: GatewayService) {
  const [template, resource, repetition] = pickCombination(n, ROUTE_TEMPLATES, words.resources);
  const destination = `${repetition === 1 ? '' : `/v${repetition}`}/${resource}${template.path}`;
  const texts = { origin: `/${service.name}${destination}`, destination, permission: `${resource}:${template.action}` };
  return {
    ...createIdentity(n, total, nowMs),
    serviceId: service._id,
    ...texts,
    searchText: createRouteSearchText(texts),
    methods: template.methods,
  };
}

/** Creates a key. Its secret is discarded, and only the digest is stored. */
export function createDemoKey(n: number, total: number, nowMs: number): ApiKey {
  const random = new Random(n + 3_000_003);
  const [business, place, repetition] = pickCombination(n, words.businesses, words.places);
  const key = generateKey();
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const resource = random.pick(words.resources);
  const permissionLists = [['*'], [`${resource}:*`], [`${resource}:ler`, `${resource}:criar`]];
  const texts = {
    name: `${business} ${place}${repetition === 1 ? '' : ` ${repetition}`}`,
    prefix: toKeyPrefix(key),
    note: random.chance(0.4) ? `Contrato com ${place}` : '',
    permissions: random.pick(permissionLists),
  };
  return {
    ...createIdentity(n, total, nowMs),
    ...texts,
    searchText: createKeySearchText(texts),
    digest: digestSecret(key),
    previousDigest: null,
    previousExpiresAt: null,
    disabled: random.chance(0.05),
    // The console accepts only whole minutes.
    expiresAt: random.chance(0.2) ? new Date(minuteMs + random.between(-20, 200) * DAY_MS).toISOString() : null,
    rateLimit: random.chance(0.3) ? { requests: random.between(1, 20) * 50, seconds: 60 } : null,
    allowedIps: random.chance(0.3) ? [`203.0.113.${random.between(1, 254)}`, '10.0.0.0/8'] : [],
    usageCount: 0,
    lastUsedAt: null,
  };
}

/** Returns the relative traffic, which is low from 21 h to 6 h and on weekends, in the studio's time zone (UTC-3). */
function getRelativeTraffic(at: number): number {
  const local = new Date(at - 3 * HOUR_MS);
  const weekendFactor = local.getUTCDay() % 6 === 0 ? 0.35 : 1;
  return weekendFactor * (0.15 + 0.85 * Math.max(0, Math.sin(((local.getUTCHours() - 6) / 15) * Math.PI)));
}

/** Share of the responses in each latency bucket. */
const LATENCY_SHARES = [0, 0, 0, 0.12, 0.3, 0.36, 0.15, 0.05, 0, 0.02];
const countByLatency = (requests: number): number[] => LATENCY_SHARES.map((share) => Math.round(requests * share));

export const pickRefusalReason = (n: number): string =>
  ['rate_limited', 'permission', 'expired', 'address'][n % 4] ?? '';

/** Creates thirty days of traffic of one key. A row covers one hour, or 15 minutes within the last day. */
export function createDemoUsage(n: number, nowMs: number): MinuteCounts[] {
  const random = new Random(n + 4_000_003);
  // Every eighth key has no traffic.
  if (n % 8 === 7) return [];
  const volume = 2_000 / (n + 1);
  const start = Math.floor(nowMs / HOUR_MS) * HOUR_MS - 30 * DAY_MS + HOUR_MS;
  const rows: MinuteCounts[] = [];
  for (let at = start; at < nowMs - 5 * MINUTE_MS; ) {
    // The hour in which the last day begins is split too: a row of an hour looks like a peak between rows of 15 minutes.
    const stepMs = at < nowMs - DAY_MS - HOUR_MS ? HOUR_MS : 15 * MINUTE_MS;
    const requests = Math.round(volume * getRelativeTraffic(at) * (stepMs / HOUR_MS) * (0.6 + 0.8 * random.next()));
    const randomShare = (share: number) => Math.round(requests * share * random.next());
    if (requests > 0) {
      rows.push({
        minute: new Date(at).toISOString(),
        requests,
        errors4xx: randomShare(0.03),
        errors5xx: randomShare(0.008),
        refused: randomShare(0.04),
        latency: countByLatency(requests),
        durationMs: Math.round(requests * (18 + 40 * random.next())),
      });
    }
    at += stepMs;
  }
  return rows;
}
