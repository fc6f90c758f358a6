import { v7 } from 'uuid';
import type { ContactMessage } from '../contact/contact.entity';
import type { DomainStatus } from '../domains/domain-status.entity';
import type { Project } from '../projects/project.entity';
import { databaseName } from '../rules/database-name';
import { type Subdomain, searchTextOf } from '../subdomains/subdomain.entity';
import type { Tenant } from '../tenants/tenant.entity';
import { Random } from './random';
import { words } from './words';

const DAY_MS = 24 * 3600 * 1000;

/** Nth combination of two lists, a number appended once all were used: `loja-recife`, …, `loja-recife-2`. */
export function combination<A, B>(n: number, one: readonly A[], other: readonly B[]): { a: A; b: B; round: number } {
  const all = one.length * other.length;
  // A step that shares no factor with `all` visits each combination once, in an order that checks natural.
  const place = ((n % all) * 401) % all;
  const [a, b] = [one[place % one.length], other[Math.floor(place / one.length)]];
  if (a === undefined || b === undefined) throw new Error('an empty list has no combinations');
  return { a, b, round: Math.floor(n / all) + 1 };
}

const numbered = (text: string, round: number, separator: string) =>
  round === 1 ? text : `${text}${separator}${round}`;

/** Lower case without accents, words joined by hyphens: a DNS label for the names used here. */
const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/** Id, creation time and first version: the `n`th of `total` rows that are spread over the last two years. */
export function identity(n: number, total: number, nowMs: number): { _id: string; createdAt: string; version: number } {
  const createdAt = Math.floor(nowMs - 730 * DAY_MS + (730 * DAY_MS * (n + 1)) / (total + 1));
  return { _id: v7({ msecs: createdAt }), createdAt: new Date(createdAt).toISOString(), version: 1 };
}

export function demoSubdomain(n: number, total: number, nowMs: number, staticRoot: string): Subdomain {
  const random = new Random(n);
  const { a, b, round } = combination(n, words.apps, words.places);
  const subdomain = numbered(`${a[0]}-${b[0]}`, round, '-');
  const none = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };
  const port = () => random.between(4000, 8999);
  const targets = [
    { ...none, type: 'proxy', port: port() },
    { ...none, type: 'proxy', port: port() },
    { ...none, type: 'static', staticPath: `${staticRoot}/${subdomain}`, apiPort: random.chance(0.3) ? port() : null },
    {
      ...none,
      type: 'tunnel',
      targetHost: `10.0.${random.between(0, 255)}.${random.between(1, 254)}`,
      targetPort: 8080,
    },
  ] as const;
  const texts = { subdomain, description: `${a[1]} (${b[1]})` };
  const target = random.pick(targets);
  // Nobody is asked at an address that was made up.
  const switches = { paused: false, healthCheck: target.type !== 'tunnel' };
  return { ...identity(n, total, nowMs), ...texts, searchText: searchTextOf(texts), ...target, ...switches };
}

export function demoProject(n: number, total: number, nowMs: number, staticRoot: string): Project {
  const round = Math.floor(n / words.projects.length) + 1;
  const [name, dbPrefix] = words.projects[n % words.projects.length] ?? words.projects[0];
  const isStatic = n % 3 === 2;
  return {
    ...identity(n, total, nowMs),
    name: numbered(name, round, ' '),
    dbPrefix,
    type: isStatic ? 'static' : 'proxy',
    apiPort: isStatic && n % 2 === 0 ? null : 5000 + n,
    staticPath: isStatic ? `${staticRoot}/${slug(name)}` : null,
  };
}

export function demoTenant(
  n: number,
  total: number,
  nowMs: number,
  project: Pick<Project, '_id' | 'dbPrefix'>,
): Omit<Tenant, 'project'> {
  const random = new Random(n + 1_000_003);
  const { a, b, round } = combination(n, words.businesses, words.places);
  const name = numbered(`${a} ${b[1]}`, round, ' ');
  const responsible = random.chance(0.8) ? random.pick(words.people) : null;
  const subdomain = slug(name);
  return {
    ...identity(n, total, nowMs),
    name,
    projectId: project._id,
    subdomain,
    dbName: databaseName(name, project.dbPrefix),
    customDomain: random.chance(0.3) ? `${subdomain}.com.br` : null,
    wwwMode: 'serve',
    paused: false,
    healthCheck: true,
    responsibleName: responsible,
    responsibleContact: responsible && `${slug(responsible).replace('-', '.')}@${subdomain}.com.br`,
  };
}

type DemoDomain = Pick<DomainStatus, 'dns' | 'found' | 'certificateState'>;

/** Of a demo tenant's domain: in order, waiting for DNS, or led elsewhere. Nobody asks DNS for names that were made up. */
export function demoDomainStatus(domain: string, tenantId: string, n: number, nowMs: number): DomainStatus[] {
  const random = new Random(n + 3_000_017);
  const checkedAt = new Date(nowMs - random.between(1, 600) * 60_000).toISOString();
  const states: [DemoDomain, ...DemoDomain[]] = [
    { dns: 'ok', found: ['203.0.113.1'], certificateState: 'active' },
    { dns: 'missing', found: [], certificateState: 'none' },
    { dns: 'wrong', found: ['198.51.100.7'], certificateState: 'none' },
  ];
  return [domain, `www.${domain}`].map((host): DomainStatus => {
    const { dns, found, certificateState } = random.pick(states);
    const isActive = certificateState === 'active';
    return {
      host,
      tenantId,
      dns,
      found,
      certificateState,
      issuer: isActive ? "Let's Encrypt" : null,
      expiresAt: isActive ? new Date(nowMs + random.between(5, 80) * DAY_MS).toISOString() : null,
      checkedAt,
      nextCheckAt: null,
      watchedSince: checkedAt,
      checks: 1,
    };
  });
}

export function demoMessage(n: number, total: number, nowMs: number): Omit<ContactMessage, 'deliveries'> {
  const random = new Random(n + 2_000_003);
  const name = random.pick(words.people);
  const createdAt = Math.floor(nowMs - (30 * DAY_MS * (total - n)) / (total + 1));
  return {
    _id: v7({ msecs: createdAt }),
    createdAt: new Date(createdAt).toISOString(),
    name,
    email: `${slug(name).replace('-', '.')}@exemplo.com.br`,
    contactInfo: random.chance(0.6) ? `(11) 9${random.between(1000, 9999)}-${random.between(1000, 9999)}` : null,
    message: random.pick(words.messages),
    spam: false,
    handled: total - n > 5,
    address: `203.0.113.${random.between(1, 254)}`,
  };
}
