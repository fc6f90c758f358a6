import { hash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { Database } from '../../platform/database/database';
import { RuleError } from '../../platform/errors/rule-error';
import { Installation } from '../../platform/installation/installation.entity';
import { DAY_MS } from '../../platform/time/relative-time';
import { isWildcard } from '../../routing/hosts/site-domains';
import { isClaimedOutside } from '../hosts';
import type { DomainDns } from './checks/domain-dns';
import type { DomainField } from './domain-name';
import { domainMessages as messages } from './domains.messages';
import { ReleasedDomain } from './site-domain.entity';

/** For this time after a release, another site must prove ownership of the domain. */
export const PROOF_PERIOD_MS = 30 * DAY_MS;

const formatProofName = (domain: string): string => `_studio-proof.${domain.replace(/^\*\./, '')}`;

const createProofValue = (...parts: string[]): string => hash('sha256', parts.join(' ')).slice(0, 40);

/** The DNS record that proves the ownership of a domain. The console shows the record. */
interface ProofRecord {
  type: 'TXT';
  name: string;
  value: string;
}

/** A site that claims a domain, and the projects to which the caller is limited. */
interface Claimant {
  readonly ownerId: string;
  readonly projects: ProjectLimit;
}

/** The domains above a domain, and the wildcards (`*.`) of these domains and of the domain itself. */
function listDomainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  const parents = labels.slice(1, -1).map((_label, index) => labels.slice(index + 1).join('.'));
  return [...parents, ...[domain, ...parents].map((parent) => `*.${parent}`)];
}

/**
 * The TXT records that prove ownership of a domain. A wildcard needs a proof, and so does a domain that another site
 * released within 30 days. An account that is limited to projects also needs a proof for a domain below a domain of a
 * site outside of these projects.
 */
export class DomainProofs {
  constructor(
    private readonly database: Database,
    private readonly dns: Pick<DomainDns, 'resolveTxt'>,
  ) {}

  /** Records the release of a domain, in the transaction that removes it from its site. */
  async recordRelease(manager: EntityManager, domain: string, ownerId: string): Promise<void> {
    const row = { domain, ownerId, releasedAt: new Date().toISOString(), secret: randomBytes(32).toString('hex') };
    await manager.upsert(ReleasedDomain, row, ['domain']);
  }

  /** Whether DNS has the site's proof. Call it before the transaction of `requireProof`, because DNS is slow. */
  async isProven(domain: string, claimant: Claimant): Promise<boolean> {
    const proof = await this.findRequiredProof(this.database.read, domain, claimant);
    return proof !== undefined && (await this.dns.resolveTxt(proof.record.name)).includes(proof.record.value);
  }

  /**
   * Checks the proof in the transaction that claims a domain, and then forgets the release of this domain.
   * @throws RuleError conflict if the domain needs a proof that DNS does not have
   */
  async requireProof(
    manager: EntityManager,
    domain: string,
    claimant: Claimant,
    { isProven, field }: { isProven: boolean; field: DomainField },
  ): Promise<void> {
    const proof = await this.findRequiredProof(manager, domain, claimant);
    if (proof && !isProven) {
      const { message, record } = proof;
      const details = messages.proof(record.name, record.value);
      throw new RuleError('conflict', message, { details, fields: { [field]: message }, extensions: { record } });
    }
    await manager.delete(ReleasedDomain, { domain });
  }

  /** The TXT record that a site needs for a domain, with the reason; undefined if the domain needs no proof. */
  private async findRequiredProof(
    manager: EntityManager,
    domain: string,
    { ownerId, projects }: Claimant,
  ): Promise<{ message: string; record: ProofRecord } | undefined> {
    const createProof = (message: string, ...secrets: string[]) => ({
      message,
      record: { type: 'TXT' as const, name: formatProofName(domain), value: createProofValue(...secrets, ownerId) },
    });
    const release = await manager.findOneBy(ReleasedDomain, { domain });
    const isRecent = release && Date.parse(release.releasedAt) > Date.now() - PROOF_PERIOD_MS;
    const message = isWildcard(domain) ? messages.wildcardProof(domain) : messages.released(domain);
    // The proof differs for each claimant and each release.
    if (isRecent && release.ownerId !== ownerId) return createProof(message, release.secret);
    const isBelowOther = !isWildcard(domain) && (await isClaimedOutside(manager, listDomainsAbove(domain), projects));
    if (!isWildcard(domain) && !isBelowOther) return undefined;
    const { installationId } = await manager.findOneByOrFail(Installation, { id: 1 });
    return createProof(isBelowOther ? messages.belowOther(domain) : message, installationId, domain);
  }
}
