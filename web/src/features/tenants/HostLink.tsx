import { siteUrl } from '../../lib/host';
import styles from './tenants.module.css';

/** A host of a tenant, which opens in a tab of its own. */
export const HostLink = ({ host }: { host: string }) => (
  <a className={styles.link} href={siteUrl(host)} target="_blank" rel="noreferrer" title={host}>
    {host}
  </a>
);
