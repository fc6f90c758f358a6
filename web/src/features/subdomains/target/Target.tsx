import { Link } from 'react-router';
import type { SubdomainType } from '../../../generated/graph';
import { toVersionsPath } from '../../../lib/routing/paths';
import { Chip, type ChipColor } from '../../../ui/cells/Chip';
import { CopyableText } from '../../../ui/cells/CopyableText';
import rowStyles from '../../../ui/cells/cells.module.css';
import type { SubdomainRowFragment } from '../generated/subdomains';
import { servesVersions } from '../subdomainForm';
import { subdomainsMessages } from '../subdomains.messages';
import { FolderPath } from './FolderPath';

const messages = subdomainsMessages.list;
const COLORS: Record<SubdomainType, ChipColor> = { proxy: 'blue', static: 'green', tunnel: 'purple' };

function describeTarget({ type, port, staticPath, apiPort, targetHost, targetPort }: SubdomainRowFragment): string {
  if (type === 'tunnel') return `${targetHost}:${targetPort}`;
  if (type === 'proxy') return messages.port(port ?? 0);
  return apiPort ? `${staticPath} · ${messages.api(apiPort)}` : (staticPath ?? '');
}

export const TypeChip = ({ type }: { type: SubdomainType }) => <Chip color={COLORS[type]}>{messages.types[type]}</Chip>;

/** The target of a subdomain: a link to its versions, or a port, folder or host with a button that copies it. */
export const Target = ({ row }: { row: SubdomainRowFragment }) =>
  servesVersions(row) ? (
    <Link className={rowStyles.link} to={toVersionsPath(row.subdomain)}>
      {row.apiPort ? `${messages.versions} · ${messages.api(row.apiPort)}` : messages.versions}
    </Link>
  ) : (
    <CopyableText text={describeTarget(row)} label={messages.copyTarget(row.subdomain)}>
      {row.type === 'static' && row.staticPath ? (
        <FolderPath path={row.staticPath} apiPort={row.apiPort} />
      ) : (
        describeTarget(row)
      )}
    </CopyableText>
  );
