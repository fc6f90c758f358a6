import { isIP } from 'node:net';
import { type EntityManager, In, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { groupBy } from '../../platform/collections/group-by';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import type { ChangeContext, Database } from '../../platform/database/database';
import { selectIn } from '../../platform/database/queries/select-in';
import { createFieldError, RuleError } from '../../platform/errors/rule-error';
import { toDisplayHost } from '../../platform/net/hostname';
import { findMainHost, isWildcard } from '../../routing/hosts/site-domains';
import { claimHost, mapHostConflict, releaseHost } from '../hosts';
import type { RolloutService } from '../rollout';
import type { SiteOwner, SiteOwnerStore } from '../sites';
import type { DomainMonitor } from './checks/domain-monitor';
import type { DomainReports } from './checks/domain-reports';
import { type DomainField, parseCustomDomain, parseCustomDomainOrWildcard, toStoredDomain } from './domain-name';
import type { DomainProofs } from './domain-proofs';
import { domainMessages as messages } from './domains.messages';
import type { SiteDomainBody, SiteDomainResponse } from './domains.schema';
import { parseRedirectTarget, refuseRedirectLoops, releaseRedirectsTo } from './redirect-targets';
import { SiteDomain, type WwwMode } from './site-domain.entity';

const MAX_DOMAINS = 100;

export type DomainOwner = Pick<SiteOwner, 'id' | 'label'> & { kind: 'subdomain' | 'tenant' };

type DomainValues = Pick<SiteDomain, 'host' | 'role' | 'to' | 'wwwMode'>;

/** Whether a site's previous primary domain becomes an alias (`demote`), or is removed from the site (`release`). */
type PreviousPrimaryAction = 'demote' | 'release';

export interface SiteDomainsOptions {
  database: Database;
  rollout: RolloutService;
  monitor: Pick<DomainMonitor, 'startMonitoring' | 'checkNow'>;
  reports: Pick<DomainReports, 'findStatusByDomain'>;
  proofs: DomainProofs;
  owners: Record<DomainOwner['kind'], Pick<SiteOwnerStore, 'find'>>;
  ownDomains: readonly string[];
  sitesDomain: string;
  /** Addresses that domains must have. */
  serverIps: readonly string[];
}

/** The domains of subdomains and tenants: claims, roles and redirects (contract §7). */
export class SiteDomainsService {
  constructor(private readonly options: SiteDomainsOptions) {}

  /** Lists the domains of a site, with the primary domain first. */
  async list(owner: DomainOwner): Promise<SiteDomainResponse[]> {
    const rows = await findDomainsOfOwner(this.options.database.read, owner.id);
    const statusByDomain = await this.options.reports.findStatusByDomain(rows.map(({ host }) => host));
    return rows.map((row) => this.toResponse(row, owner, rows, statusByDomain.get(row.host) ?? []));
  }

  private toResponse(
    { host, role, to, wwwMode }: SiteDomain,
    { label: subdomain }: DomainOwner,
    domains: SiteDomain[],
    status: SiteDomainResponse['status'],
  ): SiteDomainResponse {
    const target = role === 'redirect' ? (to ?? findMainHost({ subdomain, domains }, this.options.sitesDomain)) : null;
    const displayHost = toDisplayHost(host);
    const displayTo = target === null ? null : toDisplayHost(target);
    const records = createDnsRecords(host, this.options.serverIps);
    return { host, displayHost, role, to: target, displayTo, wwwMode, status, records, live: null };
  }

  async findByOwner(ownerIds: readonly string[]): Promise<Map<string, SiteDomain[]>> {
    const rows = await selectIn<SiteDomain>(this.options.database.read, {
      table: 'site_domains',
      columns: '*',
      column: '"ownerId"',
      values: ownerIds,
    });
    return groupBy(rows, ({ ownerId }) => ownerId);
  }

  /**
   * Adds a domain, or changes the role of a domain of the site. A new primary domain makes the previous one an alias.
   * The domain's DNS may still be wrong; `status` shows whether it is correct.
   * @throws RuleError invalid, conflict, notFound
   */
  async add(
    context: ChangeContext,
    owner: DomainOwner,
    { host: text, role, to: target, www }: SiteDomainBody,
  ): Promise<SiteDomainResponse> {
    const host = parseCustomDomainOrWildcard(text, this.options.ownDomains, 'host');
    if (role === 'primary' && isWildcard(host)) throw createFieldError('invalid', 'role', messages.wildcardRole);
    const to = role === 'redirect' && target ? parseRedirectTarget(target) : null;
    const domain = { host, role, to, wwwMode: www };
    await this.saveDomain(context, owner, domain, { field: 'host', previousPrimary: 'demote' });
    const [rolloutStatus] = await Promise.all([
      this.options.rollout.waitForStatus(owner.id),
      this.options.monitor.checkNow(owner.id, host),
    ]);
    const response = (await this.list(owner)).find((row) => row.host === host);
    if (!response) throw new RuleError('notFound', messages.notFound);
    return { ...response, live: rolloutStatus };
  }

  /** Releases a domain of a site. @throws RuleError notFound */
  async remove(context: ChangeContext, owner: DomainOwner, text: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      const host = toStoredDomain(text);
      const storedDomain = host === undefined ? null : await manager.findOneBy(SiteDomain, { host, ownerId: owner.id });
      if (!storedDomain) throw new RuleError('notFound', messages.notFound);
      await this.removeRow(manager, storedDomain);
      await recordConfigChange(manager, owner.kind, owner.id);
    });
  }

  /**
   * Sets the primary domain and removes the previous primary domain (`POST /tenants/{id}/domain`).
   * @throws RuleError invalid, conflict, notFound
   */
  async setPrimary(context: ChangeContext, owner: DomainOwner, domain: string, wwwMode: WwwMode): Promise<void> {
    const host = parseCustomDomain(domain, this.options.ownDomains, 'domain');
    const primary: DomainValues = { host, role: 'primary', to: null, wwwMode };
    await this.saveDomain(context, owner, primary, { field: 'domain', previousPrimary: 'release' });
  }

  /** Releases the primary domain if the site has one. @throws RuleError notFound for an unknown owner */
  async removePrimary(context: ChangeContext, owner: DomainOwner): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await this.options.owners[owner.kind].find(manager, owner.id, context.projects);
      const primaryRows = await manager.findBy(SiteDomain, { ownerId: owner.id, role: 'primary' });
      for (const row of primaryRows) await this.removeRow(manager, row);
      await recordConfigChange(manager, owner.kind, owner.id);
    });
  }

  /** Releases every domain of a site. Call it in the transaction that removes the owner. */
  async removeAll(manager: EntityManager, ownerId: string): Promise<void> {
    for (const row of await findDomainsOfOwner(manager, ownerId)) await this.removeRow(manager, row);
  }

  /** Claims a host for a site, or changes the site's domain with this host. */
  private async saveDomain(
    context: ChangeContext,
    owner: DomainOwner,
    domain: DomainValues,
    { field, previousPrimary }: { field: DomainField; previousPrimary: PreviousPrimaryAction },
  ): Promise<void> {
    const { database, proofs, owners } = this.options;
    const { host, role } = domain;
    const claimant = { ownerId: owner.id, projects: context.projects };
    // DNS is slow, so it is read before the transaction.
    const isProven = await proofs.isProven(host, claimant);
    await database
      .serializedWrite(context, async (manager) => {
        await owners[owner.kind].find(manager, owner.id, context.projects);
        const storedDomain = await manager.findOneBy(SiteDomain, { host, ownerId: owner.id });
        if (storedDomain) await manager.update(SiteDomain, { _id: storedDomain._id }, domain);
        else {
          await this.insertDomain(manager, owner, domain);
          await proofs.requireProof(manager, host, claimant, { isProven, field });
        }
        if (role === 'redirect') await refuseRedirectLoops(manager, domain);
        if (role === 'primary') await this.replacePrimary(manager, owner.id, host, previousPrimary);
        await recordConfigChange(manager, owner.kind, owner.id);
      })
      .catch(mapHostConflict(database.read, context, host, [field, messages.domainTaken(host)]));
  }

  private async insertDomain(manager: EntityManager, { kind, id }: DomainOwner, domain: DomainValues): Promise<void> {
    if ((await manager.countBy(SiteDomain, { ownerId: id })) >= MAX_DOMAINS)
      throw new RuleError('conflict', messages.tooMany(MAX_DOMAINS));
    await claimHost(manager, domain.host, kind === 'tenant' ? { tenantId: id } : { subdomainId: id });
    const createdAt = new Date().toISOString();
    await manager.insert(SiteDomain, { _id: uuid(), ownerKind: kind, ownerId: id, ...domain, createdAt });
    await this.options.monitor.startMonitoring(manager, domain.host);
  }

  /** Makes the previous primary domain of a site an alias, or releases it. */
  private async replacePrimary(
    manager: EntityManager,
    ownerId: string,
    host: string,
    previousPrimary: PreviousPrimaryAction,
  ): Promise<void> {
    for (const row of await manager.findBy(SiteDomain, { ownerId, role: 'primary', host: Not(host) })) {
      if (previousPrimary === 'release') await this.removeRow(manager, row);
      else await manager.update(SiteDomain, { _id: row._id }, { role: 'alias' });
    }
  }

  private async removeRow(manager: EntityManager, { _id, host, ownerId }: SiteDomain): Promise<void> {
    await manager.delete(SiteDomain, { _id });
    await releaseHost(manager, host);
    await this.options.proofs.recordRelease(manager, host, ownerId);
    await releaseRedirectsTo(manager, host);
  }
}

/** Finds the domains of a site: the primary domain, then the other domains in the order of creation. */
async function findDomainsOfOwner(manager: EntityManager, ownerId: string): Promise<SiteDomain[]> {
  const rows = await manager.find(SiteDomain, { where: { ownerId }, order: { createdAt: 'ASC', _id: 'ASC' } });
  return [...rows.filter(({ role }) => role === 'primary'), ...rows.filter(({ role }) => role !== 'primary')];
}

/** Loads the domains of sites for the edge. @returns a lookup by the id of the owner */
export async function loadDomainsByOwner(
  manager: EntityManager,
  ownerIds: readonly string[],
): Promise<(ownerId: string) => DomainValues[]> {
  const rows = await manager.find(SiteDomain, {
    where: { ownerId: In([...ownerIds]) },
    order: { createdAt: 'ASC', _id: 'ASC' },
  });
  const domains = groupBy(rows, ({ ownerId }) => ownerId);
  return (ownerId) => (domains.get(ownerId) ?? []).map(({ host, role, to, wwwMode }) => ({ host, role, to, wwwMode }));
}

/**
 * The DNS records that the domain's owner creates. The apex of a zone cannot have a CNAME (RFC 1034 §3.6.2), so a
 * domain has addresses, and its `www` is a CNAME to the domain. If no address is known, only the record of `www` is
 * returned. A wildcard has no `www`.
 * @param serverIps addresses that a domain must have (`SERVER_IP`)
 */
function createDnsRecords(host: string, serverIps: readonly string[]): SiteDomainResponse['records'] {
  const addresses = serverIps.map((value) => ({ type: isIP(value) === 6 ? 'AAAA' : 'A', name: host, value }) as const);
  return isWildcard(host) ? addresses : [...addresses, { type: 'CNAME', name: `www.${host}`, value: host }];
}
