import { v7 } from 'uuid';
import type { ContactMessage } from '../../features/contact/contact.entity';
import { createUncheckedStatus, type DomainStatus } from '../../features/domains/checks/domain-status.entity';
import { createProjectSearchText, type Project } from '../../features/projects/project.entity';
import { createSubdomainSearchText, type Subdomain } from '../../features/subdomains/subdomain.entity';
import { createDatabaseName } from '../../features/tenants/database-name';
import { createTenantSearchText } from '../../features/tenants/tenant.entity';
import { toTargetKey } from '../../platform/net/probe-target';
import { foldAccents } from '../../platform/text/fold-accents';
import { DAY_MS, MINUTE_MS } from '../../platform/time/relative-time';
import { Random } from './random';
import { words } from './words';

/** Returns the nth combination of two lists and the number of its repetition: 1 at first, 2 for `loja-recife-2`. */
export function pickCombination<A, B>(n: number, firstList: readonly A[], secondList: readonly B[]) {
  const pairCount = firstList.length * secondList.length;
  // The step 401 is coprime to `pairCount`, so it visits each combination once, in an order that looks natural.
  const index = ((n % pairCount) * 401) % pairCount;
  const [first, second] = [firstList[index % firstList.length], secondList[Math.floor(index / firstList.length)]];
  if (first === undefined || second === undefined) throw new Error('an empty list has no combinations');
  return [first, second, Math.floor(n / pairCount) + 1] as const;
}

const addNumber = (text: string, repetition: number, separator: string) =>
  repetition === 1 ? text : `${text}${separator}${repetition}`;

/** Converts a name to a DNS label in lower case without accents, with hyphens between words. */
const toSlug = (text: string): string => foldAccents(text).replace(/[^a-z0-9]+/g, '-');

/** Returns id, creation time and version of row `n` of `total`. The rows are spread over the last two years. */
export function createIdentity(n: number, total: number, nowMs: number) {
  const createdAt = Math.floor(nowMs - 730 * DAY_MS + (730 * DAY_MS * (n + 1)) / (total + 1));
  return { _id: v7({ msecs: createdAt }), createdAt: new Date(createdAt).toISOString(), version: 1 };
}

export function createDemoSubdomain(n: number, total: number, nowMs: number, staticRoot: string): Subdomain {
  const random = new Random(n);
  const [app, place, repetition] = pickCombination(n, words.apps, words.places);
  const subdomain = addNumber(`${app[0]}-${toSlug(place)}`, repetition, '-');
  const noTarget = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };
  const randomPort = () => random.between(4000, 8999);
  const targets = [
    { ...noTarget, type: 'proxy', port: randomPort() },
    { ...noTarget, type: 'proxy', port: randomPort() },
    {
      ...noTarget,
      type: 'static',
      staticPath: `${staticRoot}/${subdomain}`,
      apiPort: random.chance(0.3) ? randomPort() : null,
    },
    {
      ...noTarget,
      type: 'tunnel',
      targetHost: `10.0.${random.between(0, 255)}.${random.between(1, 254)}`,
      targetPort: 8080,
    },
  ] as const;
  const texts = { subdomain, description: `${app[1]} (${place})` };
  const target = random.pick(targets);
  const source = { source: 'folder' as const, versionId: null };
  // The addresses of tunnels are invented, so they are not checked.
  const options = { spaFallback: true, ...source, paused: false, healthCheck: target.type !== 'tunnel' };
  const derived = { searchText: createSubdomainSearchText(texts), targetKey: toTargetKey({ ...target, ...source }) };
  return { ...createIdentity(n, total, nowMs), ...texts, ...derived, ...target, ...options };
}

export function createDemoProject(n: number, total: number, nowMs: number, staticRoot: string): Project {
  const repetition = Math.floor(n / words.projects.length) + 1;
  const [name, dbPrefix] = words.projects[n % words.projects.length] ?? words.projects[0];
  const isStatic = n % 3 === 2;
  return {
    ...createIdentity(n, total, nowMs),
    name: addNumber(name, repetition, ' '),
    dbPrefix,
    searchText: createProjectSearchText({ name: addNumber(name, repetition, ' '), dbPrefix }),
    type: isStatic ? 'static' : 'proxy',
    apiPort: isStatic && n % 2 === 0 ? null : 5000 + n,
    staticPath: isStatic ? `${staticRoot}/${toSlug(name)}` : null,
    spaFallback: true,
    source: 'folder',
    versionId: null,
  };
}

export function createDemoTenant(n: number, total: number, nowMs: number, project: Pick<Project, '_id' | 'dbPrefix'>) {
  const random = new Random(n + 1_000_003);
  const [business, place, repetition] = pickCombination(n, words.businesses, words.places);
  const name = addNumber(`${business} ${place}`, repetition, ' ');
  const responsible = random.chance(0.8) ? random.pick(words.people) : null;
  const subdomain = toSlug(name);
  const texts = {
    name,
    subdomain,
    dbName: createDatabaseName(name, project.dbPrefix),
    responsibleName: responsible,
    responsibleContact: responsible && `${toSlug(responsible).replace('-', '.')}@${subdomain}.com.br`,
  };
  return {
    ...createIdentity(n, total, nowMs),
    ...texts,
    searchText: createTenantSearchText(texts),
    projectId: project._id,
    customDomain: random.chance(0.3) ? `${subdomain}.com.br` : null,
    source: 'project' as const,
    versionId: null,
    paused: false,
    healthCheck: true,
  };
}

type DemoDomain = Pick<DomainStatus, 'dns' | 'found' | 'certificateState'>;

/**
 * Creates the statuses of a domain and its `www.` host as after one check. No check follows: the name is invented.
 * @param serverIps addresses that a domain must have (`SERVER_IP`); without them a check leaves `dns` unknown
 */
export function createDemoDomainStatus(domain: string, n: number, nowMs: number, serverIps: string[]): DomainStatus[] {
  const random = new Random(n + 3_000_017);
  const checkedAt = new Date(nowMs - random.between(1, 600) * MINUTE_MS).toISOString();
  const states: DemoDomain[] =
    serverIps.length === 0
      ? [{ dns: 'unknown', found: [], certificateState: 'none' }]
      : [
          { dns: 'ok', found: serverIps, certificateState: 'active' },
          { dns: 'missing', found: [], certificateState: 'none' },
          { dns: 'wrong', found: ['198.51.100.7'], certificateState: 'none' },
        ];
  return [domain, `www.${domain}`].map((host): DomainStatus => {
    const { dns, found, certificateState } = random.pick(states);
    const isActive = certificateState === 'active';
    return {
      ...createUncheckedStatus(host, domain, checkedAt),
      dns,
      found,
      certificateState,
      issuer: isActive ? "Let's Encrypt" : null,
      expiresAt: isActive ? new Date(nowMs + random.between(5, 80) * DAY_MS).toISOString() : null,
      checkedAt,
      nextCheckAt: null,
      checks: 1,
    };
  });
}

export function createDemoMessage(n: number, total: number, nowMs: number): Omit<ContactMessage, 'deliveries'> {
  const random = new Random(n + 2_000_003);
  const name = random.pick(words.people);
  const createdAt = Math.floor(nowMs - (30 * DAY_MS * (total - n)) / (total + 1));
  return {
    _id: v7({ msecs: createdAt }),
    createdAt: new Date(createdAt).toISOString(),
    name,
    email: `${toSlug(name).replace('-', '.')}@exemplo.com.br`,
    contactInfo: random.chance(0.6) ? `(11) 9${random.between(1000, 9999)}-${random.between(1000, 9999)}` : null,
    message: random.pick(words.messages),
    spam: false,
    handled: total - n > 5, // The newest five messages are not handled.
    answeredAt: null,
    address: `203.0.113.${random.between(1, 254)}`,
  };
}
