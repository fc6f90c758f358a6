import type { Config } from '../../platform/config/config';
import { createHostClassifier } from '../../routing/hosts/host-router';
import type { ConfigIndex } from '../config-sync/config-index';
import type { EdgeStore } from '../config-sync/edge-store';

/**
 * Returns a function that tells whether a certificate may be issued for a host name in lower case. The name must belong
 * to the installation or be claimed by a site. With `SERVER_IP`, the DNS of a custom domain must also have been correct
 * recently (docs/contract-operators.md).
 */
export function createCertificatePolicy(
  config: Pick<Config, 'BASE_DOMAIN' | 'SITES_DOMAIN' | 'SERVER_IP'>,
  getIndex: () => ConfigIndex,
  store: Pick<EdgeStore, 'isDomainOk'>,
) {
  const classify = createHostClassifier(config.BASE_DOMAIN, config.SITES_DOMAIN);
  return async (host: string): Promise<boolean> => {
    const hostClass = classify(host);
    if (hostClass.kind === 'studio' || hostClass.kind === 'gateway') return true;
    if (hostClass.kind !== 'claimable' || !getIndex().isClaimed(hostClass.name)) return false;
    if (hostClass.isLabel || config.SERVER_IP.length === 0) return true;
    // Caddy also asks before it loads an existing certificate, so an outage of the database must not stop TLS.
    return store.isDomainOk(host).catch(() => true);
  };
}
