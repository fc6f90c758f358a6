import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { In } from 'typeorm';
import { entities } from '../../app/entities';
import { ContactDelivery } from '../../features/contact/contact.entity';
import { DomainStatus } from '../../features/domains/checks/domain-status.entity';
import { SiteDomain } from '../../features/domains/site-domain.entity';
import { ApiKey } from '../../features/gateway/keys/key.entity';
import { KeysService } from '../../features/gateway/keys/keys.service';
import { GatewayRoute, GatewayRouteMethod } from '../../features/gateway/routes/route.entity';
import { UsageDay, UsageMinute, UsageSubject } from '../../features/gateway/usage/usage.entity';
import { UsageService } from '../../features/gateway/usage/usage.service';
import { HostClaim } from '../../features/hosts/host-claim.entity';
import { Subdomain } from '../../features/subdomains/subdomain.entity';
import { isDatabaseName } from '../../features/tenants/database-name';
import { Tenant } from '../../features/tenants/tenant.entity';
import { ConfigurationRevision } from '../../platform/config-revisions/config-revision.entity';
import { createCommandContext, createDatabase, type Database } from '../../platform/database/database';
import { parseDomainName, parseLabel } from '../../platform/net/hostname';
import { isKeyPermission, isRoutePermission } from '../../routing/keys/permission';
import { canFill, parsePattern } from '../../routing/routes/route-pattern';
import { createDemoDomainStatus } from './demo';
import { type Counts, seedTables } from './seed-tables';

const COUNTS: Counts = {
  subdomains: 300,
  projects: 12,
  tenants: 200,
  keys: 60,
  services: 9,
  routes: 200,
  messages: 20,
};
const NOW = Date.now();

describe('demo data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'));
  const database: Database = createDatabase({ DATA_DIR: folder }, entities);
  const seed = (counts: Counts) =>
    database.serializedWrite(createCommandContext('test'), (manager) =>
      seedTables({ manager, nowMs: NOW, staticRoot: '/srv', serverIps: [] }, counts),
    );

  beforeAll(async () => {
    await database.open({ migrate: true });
    expect(Object.fromEntries(await seed(COUNTS))).toEqual(COUNTS);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('satisfies the validation rules', async () => {
    const subdomains = await database.read.find(Subdomain);
    for (const { subdomain } of subdomains) expect(parseLabel(subdomain)).toBe(subdomain);
    const tenants = await database.read.find(Tenant);
    for (const { subdomain, dbName } of tenants) {
      expect(parseLabel(subdomain)).toBe(subdomain);
      expect(isDatabaseName(dbName)).toBe(true);
    }
    const domains = await database.read.find(SiteDomain);
    for (const { host } of domains) expect(parseDomainName(host)).toBe(host);
    expect(await database.read.count(HostClaim)).toBe(subdomains.length + tenants.length + domains.length);
    for (const { origin, destination, permission } of await database.read.find(GatewayRoute)) {
      const [originPattern, destinationPattern] = [parsePattern(origin), parsePattern(destination)];
      expect(originPattern && destinationPattern && canFill(destinationPattern, originPattern)).toBe(true);
      expect(isRoutePermission(permission)).toBe(true);
    }
    expect(await database.read.count(GatewayRouteMethod)).toBeGreaterThan(COUNTS.routes);
  });

  test('has, without SERVER_IP, only domain states that a check can report', async () => {
    const statuses = await database.read.find(DomainStatus);
    expect(new Set(statuses.map(({ dns, certificateState }) => `${dns} ${certificateState}`))).toEqual(
      new Set(['unknown none']),
    );
  });

  test('has, with SERVER_IP, domains that point to it, domains that point elsewhere, and domains without DNS', () => {
    const statuses = Array.from({ length: 20 }, (_, n) =>
      createDemoDomainStatus('a.com', n, NOW, ['192.0.2.1']),
    ).flat();
    expect(new Set(statuses.map(({ dns, found }) => `${dns} ${found}`))).toEqual(
      new Set(['ok 192.0.2.1', 'missing ', 'wrong 198.51.100.7']),
    );
  });

  test('has for each key a usage history whose sum is the usage count of the key', async () => {
    for (const { _id, usageCount, lastUsedAt, permissions } of await database.read.find(ApiKey)) {
      const subject =
        (await database.read.findOneBy(UsageSubject, { dimension: 'key', entityId: _id, reason: '' }))?.id ?? 0;
      const days = await database.read.findBy(UsageDay, { subject });
      expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(usageCount);
      expect(lastUsedAt === null).toBe(usageCount === 0);
      expect(permissions.every(isKeyPermission)).toBe(true);
    }
    // Only 50 of the 60 keys get a history (`KEYS_WITH_HISTORY`), and six of these histories are empty.
    expect(await database.read.countBy(ApiKey, { usageCount: 0 })).toBe(16);
  });

  test('has in the usage history of a day, a week and a month the same sums as in the stored minutes', async () => {
    const usage = new UsageService(database, new KeysService(database));
    const keySubjects = await database.read.findBy(UsageSubject, { dimension: 'key', reason: '' });
    const minutes = await database.read.findBy(UsageMinute, { subject: In(keySubjects.map(({ id }) => id)) });
    for (const range of ['day', 'week', 'month'] as const) {
      const { from, bucketSeconds, series } = await usage.getHistory(range);
      const sum = (getCount: (row: UsageMinute) => number) =>
        minutes.filter(({ at }) => at * 60_000 >= Date.parse(from)).reduce((total, row) => total + getCount(row), 0);
      const points = series.flatMap((entry) => entry.points);
      expect(points.reduce((total, { requests }) => total + requests, 0)).toBe(sum(({ requests }) => requests));
      expect(points.reduce((total, { errors }) => total + errors, 0)).toBe(
        sum(({ errors4xx, errors5xx }) => errors4xx + errors5xx),
      );
      const [busiest] = series;
      expect(Date.parse(busiest?.points[1]?.at ?? '') - Date.parse(from)).toBe(bucketSeconds * 1000);
      expect(points.some(({ averageMs }) => averageMs !== null && averageMs > 0)).toBe(true);
    }
  });

  test('has the same total of requests for the gateway, all services, all routes and all keys', async () => {
    const countRequests = async (dimension: UsageSubject['dimension']) => {
      const subjects = await database.read.findBy(UsageSubject, { dimension, reason: '' });
      const days = await database.read.findBy(UsageDay, { subject: In(subjects.map(({ id }) => id)) });
      return days.reduce((sum, { requests }) => sum + requests, 0);
    };
    const keyRequests = await countRequests('key');
    expect(keyRequests).toBeGreaterThan(0);
    for (const dimension of ['gateway', 'service', 'route'] as const)
      expect(await countRequests(dimension)).toBe(keyRequests);
  });

  test('has no message that the outbox would send', async () => {
    expect(await database.read.countBy(ContactDelivery, { state: 'pending' })).toBe(0);
  });

  test('is extended by a second run, which makes the edge reload', async () => {
    const readRevision = () => database.read.findOneByOrFail(ConfigurationRevision, { id: 1 });
    const revisionBefore = await readRevision();
    const added = Object.fromEntries(await seed({ ...COUNTS, subdomains: 310, messages: 21 }));
    expect(added).toEqual({ subdomains: 10, projects: 0, tenants: 0, services: 0, routes: 0, keys: 0, messages: 1 });
    expect((await readRevision()).value).toBe(revisionBefore.value + 1);
  });
});
