import { isIP } from 'node:net';
import { isWildcard } from '../../routing/site-domains';
import type { SiteDomainResponse } from './domains.schema';

/**
 * The DNS records that the domain's owner creates. The apex of a zone cannot have a CNAME (RFC 1034 §3.6.2), so a domain
 * has addresses and its `www` is a CNAME to it. If the addresses are unknown, only the record of `www` is returned.
 * @param serverIps addresses that a domain must have (`SERVER_IP`)
 */
export function dnsRecordsOf(host: string, serverIps: readonly string[]): SiteDomainResponse['records'] {
  const addresses = serverIps.map((value) => ({ type: isIP(value) === 6 ? 'AAAA' : 'A', name: host, value }) as const);
  return isWildcard(host) ? addresses : [...addresses, { type: 'CNAME', name: `www.${host}`, value: host }];
}
