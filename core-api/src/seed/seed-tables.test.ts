import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { In } from 'typeorm';
import { ConfigurationRevision } from '../configuration/configuration.entity';
import { ContactDelivery } from '../contact/contact.entity';
import { commandContext, createDatabase, type Database } from '../database/source';
import { ApiKey } from '../gateway/keys/key.entity';
import { KeysService } from '../gateway/keys/keys.service';
import { GatewayRoute, GatewayRouteMethod } from '../gateway/routes/route.entity';
import { UsageDay, UsageMinute, UsageSubject } from '../gateway/usage/usage.entity';
import { UsageService } from '../gateway/usage/usage.service';
import { HostClaim } from '../hosts/host-claim.entity';
import { isDatabaseName } from '../rules/database-name';
import { parseDomainName, parseLabel } from '../rules/hostname';
import { isKeyPermission, isRoutePermission } from '../rules/permission';
import { canFill, parsePattern } from '../rules/route-pattern';
import { entities } from '../schema';
import { Subdomain } from '../subdomains/subdomain.entity';
import { Tenant } from '../tenants/tenant.entity';
import { type Counts, seedTables } from './seed-tables';

const COUNTS: Counts = {
  subdomains: 1500,
  projects: 12,
  tenants: 900,
  keys: 60,
  services: 9,
  routes: 900,
  messages: 20,
};
const NOW = Date.now();

describe('demo data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'));
  const database: Database = createDatabase({ DATA_DIR: folder }, entities);
  const seeded = (counts: Counts) =>
    database.change(commandContext('test'), (manager) =>
      seedTables({ manager, nowMs: NOW, staticRoot: '/srv' }, counts),
    );

  beforeAll(async () => {
    await database.open({ migrate: true });
    expect(Object.fromEntries(await seeded(COUNTS))).toEqual(COUNTS);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('is what the rules allow', async () => {
    for (const { subdomain } of await database.read.find(Subdomain)) expect(parseLabel(subdomain)).toBe(subdomain);
    const tenants = await database.read.find(Tenant);
    for (const { subdomain, dbName, customDomain } of tenants) {
      expect(parseLabel(subdomain)).toBe(subdomain);
      expect(isDatabaseName(dbName)).toBe(true);
      if (customDomain) expect(parseDomainName(customDomain)).toBe(customDomain);
    }
    const domains = tenants.filter(({ customDomain }) => customDomain).length;
    expect(await database.read.count(HostClaim)).toBe(COUNTS.subdomains + COUNTS.tenants + domains);
    for (const { origin, destination, permission } of await database.read.find(GatewayRoute)) {
      const [from, to] = [parsePattern(origin), parsePattern(destination)];
      expect(from && to && canFill(to, from)).toBe(true);
      expect(isRoutePermission(permission)).toBe(true);
    }
    expect(await database.read.count(GatewayRouteMethod)).toBeGreaterThan(COUNTS.routes);
  });

  test('has a history that adds up to the count of each key', async () => {
    for (const { _id, usageCount, lastUsedAt, permissions } of await database.read.find(ApiKey)) {
      const subject =
        (await database.read.findOneBy(UsageSubject, { dimension: 'key', entityId: _id, reason: '' }))?.id ?? 0;
      const days = await database.read.findBy(UsageDay, { subject });
      expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(usageCount);
      expect(lastUsedAt === null).toBe(usageCount === 0);
      expect(permissions.every(isKeyPermission)).toBe(true);
    }
    // Ten beyond the fifty that have a history, and some of those.
    expect(await database.read.countBy(ApiKey, { usageCount: 0 })).toBe(16);
  });

  test('shows in the usage history, added up to its buckets', async () => {
    const usage = new UsageService(database, new KeysService(database));
    const ofKeys = await database.read.findBy(UsageSubject, { dimension: 'key', reason: '' });
    const minutes = await database.read.findBy(UsageMinute, { subject: In(ofKeys.map(({ id }) => id)) });
    for (const range of ['day', 'week', 'month'] as const) {
      const { from, bucketSeconds, series } = await usage.history(range);
      const sum = (of: (row: UsageMinute) => number) =>
        minutes.filter(({ at }) => at * 60_000 >= Date.parse(from)).reduce((total, row) => total + of(row), 0);
      const points = series.flatMap((one) => one.points);
      expect(points.reduce((total, { requests }) => total + requests, 0)).toBe(sum(({ requests }) => requests));
      expect(points.reduce((total, { errors }) => total + errors, 0)).toBe(
        sum(({ errors4xx, errors5xx }) => errors4xx + errors5xx),
      );
      const [busiest] = series;
      expect(Date.parse(busiest?.points[1]?.at ?? '') - Date.parse(from)).toBe(bucketSeconds * 1000);
      expect(points.some(({ averageMs }) => averageMs !== null && averageMs > 0)).toBe(true);
    }
  });

  test('is counted for the gateway, its services and routes as for its keys', async () => {
    const countRequests = async (dimension: UsageSubject['dimension']) => {
      const subjects = await database.read.findBy(UsageSubject, { dimension, reason: '' });
      const days = await database.read.findBy(UsageDay, { subject: In(subjects.map(({ id }) => id)) });
      return days.reduce((sum, { requests }) => sum + requests, 0);
    };
    const ofKeys = await countRequests('key');
    expect(ofKeys).toBeGreaterThan(0);
    for (const dimension of ['gateway', 'service', 'route'] as const)
      expect(await countRequests(dimension)).toBe(ofKeys);
  });

  test('leaves nothing for the outbox to send', async () => {
    expect(await database.read.countBy(ContactDelivery, { state: 'pending' })).toBe(0);
  });

  test('a second time adds only what is missing, and tells the edge', async () => {
    const revision = () => database.read.findOneByOrFail(ConfigurationRevision, { id: 1 });
    const before = await revision();
    const added = Object.fromEntries(await seeded({ ...COUNTS, subdomains: 1510, messages: 21 }));
    expect(added).toEqual({ subdomains: 10, projects: 0, tenants: 0, services: 0, routes: 0, keys: 0, messages: 1 });
    expect((await revision()).value).toBe(before.value + 1);
  });
});
