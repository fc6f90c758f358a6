import type { DomainStatusRowFragment } from './generated/tenants';

/** Stages of a host of a custom domain, the most urgent first. */
const domainStages = ['failed', 'dnsPending', 'expiring', 'dnsOk', 'issuing', 'active'] as const;
export type DomainStage = (typeof domainStages)[number];

interface StageOfDomain {
  stage: DomainStage;
  /** Whole days until the certificate expires; `Infinity` without a certificate. */
  daysLeft: number;
}

const DAY_MS = 86_400_000;
/** A certificate that is renewed automatically is never this close to its expiry. */
const EXPIRING_DAYS = 14;

/** The stage of one host: the domain or its `www`. */
export function domainStage(
  { dns, certificate: { state, expiresAt } }: DomainStatusRowFragment,
  nowMs = Date.now(),
): StageOfDomain {
  const daysLeft = expiresAt ? Math.floor((Date.parse(expiresAt) - nowMs) / DAY_MS) : Infinity;
  const stage = (): DomainStage => {
    if (dns !== 'ok') return 'dnsPending';
    if (state === 'failed' || daysLeft < 0) return 'failed';
    if (state === 'none') return 'dnsOk';
    if (state === 'issuing') return 'issuing';
    return daysLeft <= EXPIRING_DAYS ? 'expiring' : 'active';
  };
  return { stage: stage(), daysLeft };
}

/** The host with the most urgent stage. */
export function mostUrgent(hosts: readonly DomainStatusRowFragment[]): DomainStatusRowFragment | undefined {
  const rank = (host: DomainStatusRowFragment) => domainStages.indexOf(domainStage(host).stage);
  return hosts.toSorted((one, other) => rank(one) - rank(other))[0];
}
