import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../platform/database/database';
import { type DnsRecord, RuleError } from '../../platform/errors';
import { Installation } from '../../platform/installation/installation.entity';
import { isWildcard } from '../../routing/site-domains';
import type { DomainDns } from './domain-dns';
import type { DomainField } from './domain-name';
import { domainMessages as messages } from './domains.messages';
import { PROOF_PERIOD_MS } from './domains.retention';
import { ReleasedDomain } from './released-domain.entity';

const proofName = (domain: string): string => `_studio-proof.${domain.replace(/^\*\./, '')}`;

const digestOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 40);

/** The TXT records that prove a domain: one that another site released within 30 days, and each wildcard. */
export class DomainProofs {
  constructor(
    private readonly database: Database,
    private readonly dns: Pick<DomainDns, 'txtRecords'>,
  ) {}

  /** Records the release of a domain, in the transaction that removes it from its site. */
  async recordRelease(manager: EntityManager, domain: string, ownerId: string): Promise<void> {
    const row = { domain, ownerId, releasedAt: new Date().toISOString(), secret: randomBytes(32).toString('hex') };
    await manager.upsert(ReleasedDomain, row, ['domain']);
  }

  /** Whether DNS has the site's proof. Called before the transaction of `require`, because it waits for the network. */
  async isProven(domain: string, ownerId: string): Promise<boolean> {
    const record = await this.recordFor(this.database.read, domain, ownerId);
    return record !== undefined && (await this.dns.txtRecords(record.name)).includes(record.value);
  }

  /**
   * Called in the transaction that claims a domain.
   * @throws RuleError conflict when the domain needs a proof and DNS lacks it
   */
  async require(
    manager: EntityManager,
    domain: string,
    ownerId: string,
    { proven, field }: { proven: boolean; field: DomainField },
  ): Promise<void> {
    const record = await this.recordFor(manager, domain, ownerId);
    if (record && !proven) {
      const sentence = isWildcard(domain) ? messages.wildcardProof(domain) : messages.released(domain);
      const details = messages.proof(record.name, record.value);
      throw new RuleError('conflict', sentence, { details, fields: { [field]: sentence }, record });
    }
    await manager.delete(ReleasedDomain, { domain });
  }

  /** The record that a site needs for a domain; undefined if it needs none. */
  private async recordFor(manager: EntityManager, domain: string, ownerId: string): Promise<DnsRecord | undefined> {
    const released = await manager.findOneBy(ReleasedDomain, { domain });
    const isRecent = released && Date.parse(released.releasedAt) > Date.now() - PROOF_PERIOD_MS;
    // The proof differs for each claimant and each release.
    if (isRecent && released.ownerId !== ownerId)
      return { type: 'TXT', name: proofName(domain), value: digestOf(released.secret, ownerId) };
    if (!isWildcard(domain)) return undefined;
    const { installationId } = await manager.findOneByOrFail(Installation, { id: 1 });
    return { type: 'TXT', name: proofName(domain), value: digestOf(installationId, domain, ownerId) };
  }
}
