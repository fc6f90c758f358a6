import type { CheckedDomainStatusFragment, DomainStatusRowFragment } from '../../lib/graphql/generated/shared';

/** DNS and certificate of a domain, or of its `www`. */
export type DomainStatus = Omit<DomainStatusRowFragment, 'host'>;

/** Stages of one host of a custom domain, the most urgent first. */
const DOMAIN_STAGES = ['failed', 'dnsPending', 'expiring', 'dnsUnknown', 'dnsOk', 'issuing', 'active'] as const;
export type DomainStage = (typeof DOMAIN_STAGES)[number];

interface StageWithExpiry {
  stage: DomainStage;
  /** Whole days until the certificate expires; `Infinity` without a certificate. */
  daysLeft: number;
}

const DAY_MS = 86_400_000;
/** A certificate that is renewed automatically is never this close to its expiry. */
const EXPIRING_DAYS = 14;

/** The stage of one host: the domain or its `www`. */
export function getDomainStage(
  { dns, certificate: { state, expiresAt } }: DomainStatus,
  nowMs = Date.now(),
): StageWithExpiry {
  const daysLeft = expiresAt ? Math.floor((Date.parse(expiresAt) - nowMs) / DAY_MS) : Infinity;
  const getStage = (): DomainStage => {
    if (dns === 'unknown') return 'dnsUnknown';
    if (dns !== 'ok') return 'dnsPending';
    if (state === 'failed' || daysLeft < 0) return 'failed';
    if (state === 'none') return 'dnsOk';
    if (state === 'issuing') return 'issuing';
    return daysLeft <= EXPIRING_DAYS ? 'expiring' : 'active';
  };
  return { stage: getStage(), daysLeft };
}

export function findMostUrgent<Host extends DomainStatus>(hosts: readonly Host[]): Host | undefined {
  const getRank = (host: Host) => DOMAIN_STAGES.indexOf(getDomainStage(host).stage);
  return hosts.toSorted((a, b) => getRank(a) - getRank(b))[0];
}

export function getRecordType(value: string): 'A' | 'AAAA' | 'CNAME' {
  if (value.includes(':')) return 'AAAA';
  return /^\d+(\.\d+){3}$/.test(value) ? 'A' : 'CNAME';
}

/** The DNS records of a domain and its `www`, one for each address or host name to which they must point. */
export const toDnsRecords = (hosts: readonly CheckedDomainStatusFragment[]) =>
  hosts.flatMap(({ host, expected }) => expected.map((value) => ({ type: getRecordType(value), name: host, value })));
