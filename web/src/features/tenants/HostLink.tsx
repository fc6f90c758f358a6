import { getSiteUrl } from '../../lib/hosts/host';
import { HostText } from '../../shared/host/HostText';
import rowStyles from '../../ui/cells/cells.module.css';

/** A link that opens a tenant's host in a new tab. */
export const HostLink = ({ host, text }: { host: string; text?: string | null }) => (
  <a className={rowStyles.plainLink} href={getSiteUrl(host)} target="_blank" rel="noreferrer" title={host}>
    <HostText host={text ?? host} />
  </a>
);
