import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';
import { ContactDelivery, ContactMessage, channels } from '../contact/contact.entity';
import { HostClaim } from '../database/host-claims';
import { recordEverything } from '../database/revision';
import { ApiKey } from '../gateway/keys/key.entity';
import { GatewayRoute, GatewayRouteMethod } from '../gateway/routes/route.entity';
import { GatewayService } from '../gateway/services/service.entity';
import { UsageMinute } from '../gateway/usage/usage.entity';
import { Project } from '../projects/project.entity';
import { originKey, parsePattern } from '../rules/route-pattern';
import { Subdomain } from '../subdomains/subdomain.entity';
import { Tenant } from '../tenants/tenant.entity';
import { demoMessage, demoProject, demoSubdomain, demoTenant } from './demo';
import { demoKey, demoRoute, demoService, demoUsage } from './demo-gateway';

export interface Counts {
  subdomains: number;
  projects: number;
  tenants: number;
  keys: number;
  services: number;
  routes: number;
  messages: number;
}

interface Ground {
  manager: EntityManager;
  now: number;
  /** An absolute folder that static paths may lie in. */
  staticRoot: string;
}

const CHUNK = 1000;
/** Keys beyond these have no history: it would be millions of rows. */
const KEYS_WITH_HISTORY = 50;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function insertAll<Row extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  rows: readonly QueryDeepPartialEntity<Row>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    await manager
      .createQueryBuilder()
      .insert()
      .into(target)
      .values(rows.slice(start, start + CHUNK))
      .updateEntity(false)
      .execute();
  }
}

const hostsIn = async (manager: EntityManager): Promise<Set<string>> =>
  new Set((await manager.find(HostClaim, { select: { host: true } })).map(({ host }) => host));

async function subdomains({ manager, now, staticRoot }: Ground, count: number): Promise<number> {
  const hosts = await hostsIn(manager);
  const rows = range(count)
    .map((n) => demoSubdomain(n, count, now, staticRoot))
    .filter(({ subdomain }) => !hosts.has(subdomain));
  await insertAll(manager, Subdomain, rows);
  await insertAll(
    manager,
    HostClaim,
    rows.map(({ _id, subdomain: host }) => ({ host, subdomainId: _id, tenantId: null })),
  );
  return rows.length;
}

async function projects({ manager, now, staticRoot }: Ground, count: number): Promise<number> {
  const names = new Set((await manager.find(Project, { select: { name: true } })).map(({ name }) => name));
  const rows = range(count)
    .map((n) => demoProject(n, count, now, staticRoot))
    .filter(({ name }) => !names.has(name));
  await insertAll(manager, Project, rows);
  return rows.length;
}

async function tenants({ manager, now }: Ground, count: number): Promise<number> {
  const [hosts, owners] = [await hostsIn(manager), await manager.find(Project, { order: { createdAt: 'ASC' } })];
  const databases = new Set((await manager.find(Tenant, { select: { dbName: true } })).map(({ dbName }) => dbName));
  const rows = range(count).flatMap((n) => {
    const project = owners[n % owners.length];
    if (!project) return [];
    const row = demoTenant(n, count, now, project);
    const free = !hosts.has(row.subdomain) && !databases.has(row.dbName);
    return free && !(row.customDomain && hosts.has(row.customDomain)) ? [row] : [];
  });
  await insertAll(manager, Tenant, rows);
  const claims = rows.flatMap(({ _id, subdomain, customDomain }) =>
    [subdomain, customDomain].flatMap((host) => (host ? [{ host, subdomainId: null, tenantId: _id }] : [])),
  );
  await insertAll(manager, HostClaim, claims);
  return rows.length;
}

async function services({ manager, now }: Ground, count: number): Promise<number> {
  const names = new Set((await manager.find(GatewayService)).map(({ name }) => name));
  const rows = range(count)
    .map((n) => demoService(n, count, now))
    .filter(({ name }) => !names.has(name));
  await insertAll(manager, GatewayService, rows);
  return rows.length;
}

async function routes({ manager, now }: Ground, count: number): Promise<number> {
  const owners = await manager.find(GatewayService, { order: { createdAt: 'ASC' } });
  const taken = new Set(
    (await manager.find(GatewayRouteMethod)).map(({ method, originKey: key }) => `${method} ${key}`),
  );
  const rows: ReturnType<typeof demoRoute>[] = [];
  const methods: Omit<GatewayRouteMethod, 'route'>[] = [];
  for (const n of range(count)) {
    const service = owners[n % owners.length];
    if (!service) continue;
    const row = demoRoute(Math.floor(n / owners.length), count, now, service);
    const origin = parsePattern(row.origin);
    const own = row.methods.map((method) => ({ routeId: row._id, method, originKey: origin ? originKey(origin) : '' }));
    if (own.some(({ method, originKey: key }) => taken.has(`${method} ${key}`))) continue;
    rows.push(row);
    methods.push(...own);
  }
  await insertAll(
    manager,
    GatewayRoute,
    rows.map(({ methods: _methods, ...row }) => row),
  );
  await insertAll(manager, GatewayRouteMethod, methods);
  return rows.length;
}

async function keys({ manager, now }: Ground, count: number): Promise<number> {
  const known = await manager.count(ApiKey);
  const planted = range(Math.max(0, count - known)).map((n) => demoKey(known + n, count, now));
  const usage: UsageMinute[] = [];
  const rows = planted.map((row, n) => {
    if (known + n >= KEYS_WITH_HISTORY) return row;
    const own = demoUsage(known + n, row._id, now);
    for (const minute of own) usage.push(minute);
    const usageCount = own.reduce((sum, { requests }) => sum + requests, 0);
    return { ...row, usageCount, lastUsedAt: own.at(-1)?.minute ?? null };
  });
  await insertAll(manager, ApiKey, rows);
  await insertAll(manager, UsageMinute, usage);
  return rows.length;
}

/** Messages that were all dealt with: the outbox finds nothing to send. */
async function messages({ manager, now }: Ground, count: number): Promise<number> {
  const known = await manager.count(ContactMessage);
  const rows = range(Math.max(0, count - known)).map((n) => demoMessage(known + n, count, now));
  const deliveries = rows.flatMap(({ _id: messageId, createdAt }, n) =>
    channels.map((channel) => {
      const failed = channel === 'telegram' && n % 9 === 4;
      return {
        messageId,
        channel,
        attempts: failed ? 3 : 1,
        piecesSent: failed ? 0 : 1,
        nextAttemptAt: createdAt,
        ...(failed
          ? { state: 'failed' as const, deliveredAt: null, lastError: 'Forbidden: bot was blocked by the user' }
          : { state: 'sent' as const, deliveredAt: createdAt, lastError: null }),
      };
    }),
  );
  await insertAll(manager, ContactMessage, rows);
  await insertAll(manager, ContactDelivery, deliveries);
  return rows.length;
}

/** In this order: tenants belong to projects and routes to services. */
const planters: Record<keyof Counts, (ground: Ground, count: number) => Promise<number>> = {
  subdomains,
  projects,
  tenants,
  services,
  routes,
  keys,
  messages,
};

/**
 * Adds what is missing of the demo data that was asked for; what is there stays.
 * @returns how many rows were added of each kind, in the order of their making
 */
export async function plant(ground: Ground, counts: Counts): Promise<[name: keyof Counts, added: number][]> {
  const added: [keyof Counts, number][] = [];
  for (const kind of ['subdomains', 'projects', 'tenants', 'services', 'routes', 'keys', 'messages'] as const) {
    added.push([kind, await planters[kind](ground, counts[kind])]);
  }
  await recordEverything(ground.manager);
  return added;
}
