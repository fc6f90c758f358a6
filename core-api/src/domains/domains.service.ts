import { createHash, randomBytes } from 'node:crypto';
import { type EntityManager, In, LessThanOrEqual, Not } from 'typeorm';
import { z } from 'zod';
import type { Database } from '../database/source';
import { RuleError } from '../errors';
import type { HostPort } from '../rules/host-port';
import { nextCheckMs } from './check-schedule';
import { checkCertificate, noCertificate } from './domain-certificate';
import { DomainDns } from './domain-dns';
import { certificateStates, DomainStatus, dnsStates } from './domain-status.entity';
import { domainMessages as messages } from './domains.messages';
import { PROOF_PERIOD_MS } from './domains.retention';
import { ReleasedDomain } from './released-domain.entity';

export const domainStatusResponse = z
  .object({
    host: z.string(),
    dns: z.enum(dnsStates),
    found: z.array(z.string()),
    expected: z.array(z.string()),
    certificate: z.object({
      state: z.enum(certificateStates),
      issuer: z.string().nullable(),
      expiresAt: z.iso.datetime().nullable(),
    }),
    checkedAt: z.iso.datetime().nullable(),
    nextCheckAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DomainStatus' });
export type DomainStatusResponse = z.output<typeof domainStatusResponse>;

export interface DomainOptions {
  /** Addresses that custom domains must have. */
  serverIps: readonly string[];
  /** In place of the system's, unless empty. */
  dnsServers: readonly string[];
  /** Where a TLS handshake presents their certificates. */
  tlsCheckAddress: HostPort;
}

interface TenantHost {
  tenantId: string;
  /** The domain, or its `www` where only that one is concerned. */
  host: string;
}

/** A certificate that is renewed automatically is never this close to its expiry. */
const EXPIRING_MS = 14 * 24 * 3600 * 1000;

/** Hosts per batch. */
const BATCH_SIZE = 20;

const hostsOf = (domain: string): string[] => [domain, `www.${domain}`];

/** DNS and certificates of custom domains, and proof of ownership for domains that were released. */
export class DomainsService {
  private readonly dns: DomainDns;

  constructor(
    private readonly database: Database,
    private readonly options: DomainOptions,
  ) {
    this.dns = new DomainDns(options.dnsServers, options.serverIps);
  }

  /** Status of each domain and its `www`, by tenant id. @param tenantId all tenants when left out */
  async statusOf(tenantId?: string): Promise<Map<string, DomainStatusResponse[]>> {
    const rows = await this.database.read.find(DomainStatus, { where: tenantId === undefined ? {} : { tenantId } });
    rows.sort((one, other) => one.host.length - other.host.length);
    const byTenant = new Map<string, DomainStatusResponse[]>();
    for (const row of rows) byTenant.set(row.tenantId, [...(byTenant.get(row.tenantId) ?? []), this.present(row)]);
    return byTenant;
  }

  /** Domains without DNS or certificate, and those whose certificate expires soon: one host of each tenant. */
  async needingAttention(nowMs = Date.now()): Promise<Record<'pending' | 'expiring', TenantHost[]>> {
    const soon = new Date(nowMs + EXPIRING_MS).toISOString();
    const rows = await this.database.read.find(DomainStatus, {
      where: [
        { dns: Not('ok') },
        { certificateState: In(['issuing', 'failed']) },
        { certificateState: 'active', expiresAt: LessThanOrEqual(soon) },
      ],
      order: { host: 'ASC' },
    });
    const byTenant = (chosen: readonly DomainStatus[]) => [
      ...new Map(chosen.map(({ tenantId, host }) => [tenantId, { tenantId, host }])).values(),
    ];
    const isPending = ({ dns, certificateState }: DomainStatus) => dns !== 'ok' || certificateState !== 'active';
    return { pending: byTenant(rows.filter(isPending)), expiring: byTenant(rows.filter((row) => !isPending(row))) };
  }

  private present({ host, dns, found, certificateState, issuer, expiresAt, checkedAt, nextCheckAt }: DomainStatus) {
    const certificate = { state: certificateState, issuer, expiresAt };
    return { host, dns, found, expected: [...this.options.serverIps], certificate, checkedAt, nextCheckAt };
  }

  /** Called in the transaction that sets the domain. */
  async startMonitoring(manager: EntityManager, domain: string, tenantId: string): Promise<void> {
    await this.stopMonitoring(manager, tenantId);
    const now = new Date().toISOString();
    const { certificateState, issuer, expiresAt } = noCertificate;
    const unchecked = { dns: 'unknown' as const, found: [], certificateState, issuer, expiresAt, checkedAt: null };
    const rows = hostsOf(domain).map((host) => ({
      host,
      tenantId,
      ...unchecked,
      nextCheckAt: now,
      watchedSince: now,
      checks: 0,
    }));
    await manager.insert(DomainStatus, rows);
  }

  async stopMonitoring(manager: EntityManager, tenantId: string): Promise<void> {
    await manager.delete(DomainStatus, { tenantId });
  }

  /** Checks a tenant's hosts now, and resumes monitoring that has given up. */
  async checkNow(tenantId: string): Promise<void> {
    const rows = await this.database.read.findBy(DomainStatus, { tenantId });
    const watchedSince = new Date().toISOString();
    await this.checkHosts(rows.map((row) => (row.nextCheckAt === null ? { ...row, watchedSince, checks: 0 } : row)));
  }

  /** Checks the hosts that are due. @returns whether there are more */
  readonly checkDue = async (): Promise<boolean> => {
    const due = await this.database.read.find(DomainStatus, {
      where: { nextCheckAt: LessThanOrEqual(new Date().toISOString()) },
      order: { nextCheckAt: 'ASC' },
      take: BATCH_SIZE,
    });
    await this.checkHosts(due);
    return due.length === BATCH_SIZE;
  };

  private async checkHosts(rows: readonly DomainStatus[]): Promise<void> {
    const checked = await Promise.all(rows.map((row) => this.checkHost(row)));
    if (checked.length === 0) return;
    await this.database.append(async (manager) => {
      // No row matches a domain that was set anew or removed meanwhile.
      for (const { host, tenantId, ...found } of checked) await manager.update(DomainStatus, { host, tenantId }, found);
    });
  }

  private async checkHost(row: DomainStatus): Promise<Omit<DomainStatus, 'tenant'>> {
    const { host, tenantId } = row;
    const wasHealthy = row.dns === 'ok' && row.certificateState === 'active';
    const { dns, found } = await this.dns.check(host);
    const sinceMs = Date.parse(row.watchedSince);
    const certificate =
      dns === 'ok' ? await checkCertificate(host, this.options.tlsCheckAddress, Date.now() - sinceMs) : noCertificate;
    const nowMs = Date.now();
    const healthy = dns === 'ok' && certificate.certificateState === 'active';
    const broke = wasHealthy && !healthy;
    const watchedSinceMs = broke ? nowMs : sinceMs;
    const checks = broke ? 1 : row.checks + 1;
    const next = nextCheckMs({ healthy, checks, watchedSinceMs, nowMs });
    return {
      host,
      tenantId,
      dns,
      found,
      ...certificate,
      checkedAt: new Date(nowMs).toISOString(),
      nextCheckAt: next === null ? null : new Date(next).toISOString(),
      watchedSince: new Date(watchedSinceMs).toISOString(),
      checks,
    };
  }

  /** Called in the transaction in which a tenant gives a domain back. */
  async release(manager: EntityManager, domain: string, tenantId: string): Promise<void> {
    await this.stopMonitoring(manager, tenantId);
    const row = { domain, tenantId, releasedAt: new Date().toISOString(), secret: randomBytes(32).toString('hex') };
    await manager.upsert(ReleasedDomain, row, ['domain']);
  }

  /** Whether DNS has the tenant's proof. Called before the transaction of `requireProof`: it waits for the network. */
  async isProven(domain: string, tenantId: string): Promise<boolean> {
    const released = await this.releaseByOther(this.database.read, domain, tenantId);
    return (
      released !== undefined && (await this.dns.txtRecords(proofName(domain))).includes(proofOf(released, tenantId))
    );
  }

  /**
   * Called in the transaction that claims a domain.
   * @throws RuleError conflict when another tenant released it within 30 days and DNS lacks the proof
   */
  async requireProof(manager: EntityManager, domain: string, tenantId: string, proven: boolean): Promise<void> {
    const released = await this.releaseByOther(manager, domain, tenantId);
    if (released && !proven) {
      const sentence = messages.released(domain);
      const details = messages.proof(proofName(domain), proofOf(released, tenantId));
      throw new RuleError('conflict', sentence, { details, fields: { domain: sentence } });
    }
    await manager.delete(ReleasedDomain, { domain });
  }

  /** The recent release by another tenant, against which `tenantId` needs a proof. */
  private async releaseByOther(
    manager: EntityManager,
    domain: string,
    tenantId: string,
  ): Promise<ReleasedDomain | undefined> {
    const released = await manager.findOneBy(ReleasedDomain, { domain });
    const needsProof =
      released && released.tenantId !== tenantId && Date.parse(released.releasedAt) > Date.now() - PROOF_PERIOD_MS;
    return needsProof ? released : undefined;
  }
}

const proofName = (domain: string): string => `_studio-proof.${domain}`;

/** Differs for each claimant and each release. */
const proofOf = ({ secret }: ReleasedDomain, tenantId: string): string =>
  createHash('sha256').update(`${secret} ${tenantId}`).digest('hex').slice(0, 40);
