import type { ApiKey } from '../gateway/keys/key.entity';
import type { HttpMethod } from '../gateway/routes/route.entity';
import type { GatewayService } from '../gateway/services/service.entity';
import type { UsageMinute } from '../gateway/usage/usage.entity';
import { digestOf, generateKey } from '../rules/api-key';
import { born, combination } from './demo';
import { Random } from './random';
import { words } from './words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function demoService(n: number, total: number, now: number): GatewayService {
  const { a, round } = combination(n, words.services, ['']);
  const name = round === 1 ? a : `${a}-${round}`;
  return { ...born(n, total, now), name, host: `http://localhost:${4100 + (n % 800)}` };
}

const FORMS: readonly { path: string; methods: readonly HttpMethod[]; action: string }[] = [
  { path: '', methods: ['GET'], action: 'ler' },
  { path: '', methods: ['POST'], action: 'criar' },
  { path: '/:id', methods: ['GET'], action: 'ler' },
  { path: '/:id', methods: ['PUT', 'PATCH'], action: 'alterar' },
  { path: '/:id', methods: ['DELETE'], action: 'remover' },
  { path: '/arquivos/*', methods: ['GET'], action: 'ler' },
];

/** Nth route of a service. */
export function demoRoute(n: number, total: number, now: number, service: GatewayService) {
  const { a: form, b: resource, round } = combination(n, FORMS, words.resources);
  const destination = `${round === 1 ? '' : `/v${round}`}/${resource}${form.path}`;
  return {
    ...born(n, total, now),
    serviceId: service._id,
    origin: `/${service.name}${destination}`,
    destination,
    permission: `${resource}:${form.action}`,
    methods: form.methods,
  };
}

/** Nobody knows the key itself: it is made and thrown away. */
export function demoKey(n: number, total: number, now: number): ApiKey {
  const random = new Random(n + 3_000_003);
  const { a, b, round } = combination(n, words.businesses, words.places);
  const one = random.pick(words.resources);
  const lists: readonly [string[], ...string[][]] = [['*'], [`${one}:*`], [`${one}:ler`, `${one}:criar`]];
  return {
    ...born(n, total, now),
    name: `${a} ${b[1]}${round === 1 ? '' : ` ${round}`}`,
    digest: digestOf(generateKey()),
    permissions: random.pick(lists),
    allowedIps: random.chance(0.3) ? [`203.0.113.${random.between(1, 254)}`, '10.0.0.0/8'] : [],
    usageCount: 0,
    lastUsedAt: null,
  };
}

/** Busy by day, calm by night and on weekends, in the studio's time zone (UTC-3). */
function activity(at: number): number {
  const local = new Date(at - 3 * HOUR);
  const weekend = local.getUTCDay() % 6 === 0 ? 0.35 : 1;
  return weekend * (0.15 + 0.85 * Math.max(0, Math.sin(((local.getUTCHours() - 6) / 15) * Math.PI)));
}

/** Thirty days of one key: a row for each hour, and for each quarter of an hour of the last day. */
export function demoUsage(n: number, keyId: string, now: number): UsageMinute[] {
  const random = new Random(n + 4_000_003);
  if (n % 8 === 7) return [];
  const volume = 2_000 / (n + 1);
  const start = Math.floor(now / HOUR) * HOUR - 30 * DAY + HOUR;
  const rows: UsageMinute[] = [];
  for (let at = start; at < now - 5 * MINUTE; ) {
    const step = at < now - DAY ? HOUR : 15 * MINUTE;
    const requests = Math.round(volume * activity(at) * (step / HOUR) * (0.6 + 0.8 * random.next()));
    const part = (share: number) => Math.round(requests * share * random.next());
    if (requests > 0) {
      rows.push({
        keyId,
        minute: new Date(at).toISOString(),
        requests,
        errors4xx: part(0.03),
        errors5xx: part(0.008),
        durationMs: Math.round(requests * (18 + 40 * random.next())),
      });
    }
    at += step;
  }
  return rows;
}
