import type { EntityManager } from 'typeorm';
import { ContactDelivery, ContactMessage, channelNames } from '../../features/contact/contact.entity';
import { DomainStatus } from '../../features/domains/checks/domain-status.entity';
import { SiteDomain } from '../../features/domains/site-domain.entity';
import { ApiKey } from '../../features/gateway/keys/key.entity';
import { GatewayRoute, GatewayRouteMethod } from '../../features/gateway/routes/route.entity';
import { GatewayService } from '../../features/gateway/services/service.entity';
import { recordUsage } from '../../features/gateway/usage/record-usage';
import { HostClaim } from '../../features/hosts/host-claim.entity';
import { Project } from '../../features/projects/project.entity';
import { Subdomain } from '../../features/subdomains/subdomain.entity';
import { Tenant } from '../../features/tenants/tenant.entity';
import { recordFullReload } from '../../platform/config-revisions/config-revisions';
import { insertAll } from '../../platform/database/queries/insert-all';
import type { CountedSubject, MinuteCounts } from '../../platform/usage/counted-subject';
import { formatOriginKey, parsePattern } from '../../routing/routes/route-pattern';
import {
  createDemoDomainStatus,
  createDemoMessage,
  createDemoProject,
  createDemoSubdomain,
  createDemoTenant,
} from './demo';
import { createDemoKey, createDemoRoute, createDemoService, createDemoUsage, pickRefusalReason } from './demo-gateway';

interface SeedContext {
  manager: EntityManager;
  nowMs: number;
  /** Absolute folder for static paths. */
  staticRoot: string;
  /** Addresses that custom domains must have. */
  serverIps: string[];
}

/** Number of keys with a usage history. A history for all keys would have millions of rows. */
const KEYS_WITH_HISTORY = 50;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const readHosts = async (manager: EntityManager): Promise<Set<string>> =>
  new Set((await manager.find(HostClaim, { select: { host: true } })).map(({ host }) => host));

async function seedSubdomains({ manager, nowMs, staticRoot }: SeedContext, count: number): Promise<number> {
  const hosts = await readHosts(manager);
  const rows = range(count)
    .map((n) => createDemoSubdomain(n, count, nowMs, staticRoot))
    .filter(({ subdomain }) => !hosts.has(subdomain));
  await insertAll(manager, Subdomain, rows);
  const claims = rows.map(({ _id, subdomain: host }) => ({ host, subdomainId: _id, tenantId: null }));
  await insertAll(manager, HostClaim, claims);
  return rows.length;
}

async function seedProjects({ manager, nowMs, staticRoot }: SeedContext, count: number): Promise<number> {
  const names = new Set((await manager.find(Project, { select: { name: true } })).map(({ name }) => name));
  const rows = range(count)
    .map((n) => createDemoProject(n, count, nowMs, staticRoot))
    .filter(({ name }) => !names.has(name));
  await insertAll(manager, Project, rows);
  return rows.length;
}

async function seedTenants({ manager, nowMs, serverIps }: SeedContext, count: number): Promise<number> {
  const [hosts, projects] = [await readHosts(manager), await manager.find(Project, { order: { createdAt: 'ASC' } })];
  const databases = new Set((await manager.find(Tenant, { select: { dbName: true } })).map(({ dbName }) => dbName));
  const rows = range(count).flatMap((n) => {
    const project = projects[n % projects.length];
    if (!project) return [];
    const row = createDemoTenant(n, count, nowMs, project);
    const areHostsFree = [row.subdomain, row.customDomain ?? ''].every((host) => !hosts.has(host));
    return areHostsFree && !databases.has(row.dbName) ? [row] : [];
  });
  const tenants = rows.map(({ customDomain: _customDomain, ...tenant }) => tenant);
  await insertAll(manager, Tenant, tenants);
  const claims = rows.flatMap(({ _id, subdomain, customDomain }) =>
    [subdomain, customDomain].flatMap((host) => (host ? [{ host, subdomainId: null, tenantId: _id }] : [])),
  );
  await insertAll(manager, HostClaim, claims);
  const domains = rows.flatMap(({ _id, customDomain, createdAt }): SiteDomain[] => {
    if (!customDomain) return [];
    const ids = { _id, ownerKind: 'tenant' as const, ownerId: _id };
    return [{ ...ids, host: customDomain, role: 'primary', to: null, wwwMode: 'serve', createdAt }];
  });
  await insertAll(manager, SiteDomain, domains);
  const statuses = domains.flatMap(({ host }, n) => createDemoDomainStatus(host, n, nowMs, serverIps));
  await insertAll(manager, DomainStatus, statuses);
  return rows.length;
}

async function seedServices({ manager, nowMs }: SeedContext, count: number): Promise<number> {
  const names = new Set((await manager.find(GatewayService)).map(({ name }) => name));
  const rows = range(count)
    .map((n) => createDemoService(n, count, nowMs))
    .filter(({ name }) => !names.has(name));
  await insertAll(manager, GatewayService, rows);
  return rows.length;
}

async function seedRoutes({ manager, nowMs }: SeedContext, count: number): Promise<number> {
  const services = await manager.find(GatewayService, { order: { createdAt: 'ASC' } });
  const takenMethods = new Set(
    (await manager.find(GatewayRouteMethod)).map(({ method, originKey: key }) => `${method} ${key}`),
  );
  const rows: ReturnType<typeof createDemoRoute>[] = [];
  const methods: Omit<GatewayRouteMethod, 'route'>[] = [];
  for (const n of range(count)) {
    const service = services[n % services.length];
    if (!service) continue;
    const row = createDemoRoute(Math.floor(n / services.length), count, nowMs, service);
    const origin = parsePattern(row.origin);
    const key = origin ? formatOriginKey(origin) : '';
    const routeMethods = row.methods.map((method) => ({ routeId: row._id, method, originKey: key }));
    if (row.methods.some((method) => takenMethods.has(`${method} ${key}`))) continue;
    rows.push(row);
    methods.push(...routeMethods);
  }
  const routes = rows.map(({ methods: _methods, ...route }) => route);
  await insertAll(manager, GatewayRoute, routes);
  await insertAll(manager, GatewayRouteMethod, methods);
  return rows.length;
}

/** Creates the usage of a key. It also counts for the gateway, for one route and for the service of the route. */
function createUsage(n: number, keyId: string, route: GatewayRoute | undefined, minutes: MinuteCounts[]) {
  const refusedMinutes = minutes
    .filter((minute) => minute.refused)
    .map((minute) => ({ ...minute, requests: 0, errors4xx: 0, errors5xx: 0, durationMs: 0, latency: [] }));
  const subjects: Pick<CountedSubject, 'dimension' | 'entityId'>[] = [
    { dimension: 'key', entityId: keyId },
    { dimension: 'gateway', entityId: 'gateway' },
  ];
  if (route) {
    subjects.push({ dimension: 'route', entityId: route._id }, { dimension: 'service', entityId: route.serviceId });
  }
  return subjects.flatMap((subject) => [
    { ...subject, minutes },
    { ...subject, reason: pickRefusalReason(n), minutes: refusedMinutes },
  ]);
}

async function seedKeys({ manager, nowMs }: SeedContext, count: number): Promise<number> {
  const routes = await manager.find(GatewayRoute, { order: { createdAt: 'ASC' } });
  const existingCount = await manager.count(ApiKey);
  const newKeys = range(Math.max(0, count - existingCount)).map((n) => createDemoKey(existingCount + n, count, nowMs));
  const usage: CountedSubject[] = [];
  const rows = newKeys.map((row, n) => {
    if (existingCount + n >= KEYS_WITH_HISTORY) return row;
    const minutes = createDemoUsage(existingCount + n, nowMs);
    usage.push(...createUsage(existingCount + n, row._id, routes[(existingCount + n) % routes.length], minutes));
    const usageCount = minutes.reduce((sum, { requests }) => sum + requests, 0);
    return { ...row, usageCount, lastUsedAt: minutes.at(-1)?.minute ?? null };
  });
  await insertAll(manager, ApiKey, rows);
  await recordUsage(manager, usage);
  return rows.length;
}

/** Adds contact messages. Every delivery is `sent` or `failed`, so that the outbox sends nothing. */
async function seedMessages({ manager, nowMs }: SeedContext, count: number): Promise<number> {
  const existingCount = await manager.count(ContactMessage);
  const rows = range(Math.max(0, count - existingCount)).map((n) => createDemoMessage(existingCount + n, count, nowMs));
  const deliveries = rows.flatMap(({ _id: messageId, createdAt }, n) =>
    channelNames.map((channel) => {
      const isFailed = channel === 'telegram' && n % 9 === 4;
      return {
        messageId,
        channel,
        attempts: isFailed ? 3 : 1,
        piecesSent: isFailed ? 0 : 1,
        nextAttemptAt: createdAt,
        ...(isFailed
          ? { state: 'failed' as const, deliveredAt: null, lastError: 'Forbidden: bot was blocked by the user' }
          : { state: 'sent' as const, deliveredAt: createdAt, lastError: null }),
      };
    }),
  );
  await insertAll(manager, ContactMessage, rows);
  await insertAll(manager, ContactDelivery, deliveries);
  return rows.length;
}

/** Seeders in the order of the insertion, because tenants need projects and routes need services. */
const seeders = {
  subdomains: seedSubdomains,
  projects: seedProjects,
  tenants: seedTenants,
  services: seedServices,
  routes: seedRoutes,
  keys: seedKeys,
  messages: seedMessages,
};

export type Counts = Record<keyof typeof seeders, number>;

/**
 * Adds rows until each table has its count. Existing rows stay.
 * @returns the number of added rows by table, in the order of the insertion
 */
export async function seedTables(context: SeedContext, counts: Counts): Promise<[name: keyof Counts, added: number][]> {
  const added: [keyof Counts, number][] = [];
  for (const table of Object.keys(seeders) as (keyof Counts)[])
    added.push([table, await seeders[table](context, counts[table])]);
  await recordFullReload(context.manager);
  return added;
}
