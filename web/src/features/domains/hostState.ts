import type { SiteDomainRowFragment } from './generated/domains';

type HostStatus = SiteDomainRowFragment['status'][number];
export type HostState = 'unchecked' | 'unknown' | 'missing' | 'wrong' | 'dnsOk' | 'issuing' | 'failed' | 'active';

/** One word for DNS and certificate of a host. The certificate counts only once DNS is in order. */
export function hostState({ dns, certificate, checkedAt }: HostStatus): HostState {
  if (checkedAt === null) return 'unchecked';
  if (dns !== 'ok') return dns;
  return certificate.state === 'none' ? 'dnsOk' : certificate.state;
}
