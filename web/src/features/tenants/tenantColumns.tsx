import { Link } from 'react-router';
import { getSiteHost, getSiteUrl } from '../../lib/hosts/host';
import { toProjectPath, toTenantDomainsPath, toTenantPath } from '../../lib/routing/paths';
import { DomainChip } from '../../shared/host/DomainChip';
import { findMostUrgent } from '../../shared/host/domainStage';
import { HealthBadge } from '../../shared/host/HealthBadge';
import { HostUptime } from '../../shared/host/HostUptime';
import { ContactText } from '../../ui/cells/ContactText';
import { CopyButton } from '../../ui/cells/CopyButton';
import rowStyles from '../../ui/cells/cells.module.css';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import type { Column } from '../../ui/list/column';
import type { RowIcon } from '../../ui/theme/rowIcons';
import type { TenantRowFragment } from './generated/tenants';
import { HostLink } from './HostLink';
import { tenantsMessages as messages } from './tenants.messages';
import styles from './tenants.module.css';

export function toTenantSearchText(row: TenantRowFragment): string {
  const { name, project, subdomain, dbName, customDomain, displayDomain } = row;
  const texts = [name, project.name, subdomain, dbName, customDomain, displayDomain];
  return [...texts, row.responsibleName, row.responsibleContact].join(' ');
}

interface TenantColumnHandlers {
  onEditDomain: (id: string) => void;
  onCheck: (id: string) => Promise<unknown>;
}

interface CellProps {
  row: TenantRowFragment;
}

/** The host of a tenant, and its state. */
function HostCell({ row, onCheck }: CellProps & Pick<TenantColumnHandlers, 'onCheck'>) {
  const { _id, name, subdomain, paused, health } = row;
  const host = getSiteHost(subdomain);
  return (
    <span className={rowStyles.stack}>
      <span className={rowStyles.address}>
        <HostLink host={host} />
        <CopyButton text={getSiteUrl(host)} label={messages.copy(host)} />
      </span>
      <span className={`${rowStyles.stack} ${styles.state}`}>
        <HealthBadge
          name={name}
          paused={paused}
          health={health}
          onCheck={() => onCheck(_id)}
          failureMessage={messages.failure.check}
        />
        {health.checkedAt && <HostUptime kind="tenants" id={_id} paused={paused} health={health} />}
      </span>
    </span>
  );
}

/** The primary domain of a tenant with its stage, or a link to its other domains, or a button that adds a domain. */
function DomainCell({ row, onEditDomain }: CellProps & Pick<TenantColumnHandlers, 'onEditDomain'>) {
  const { _id, name, customDomain, displayDomain, domainCount, domainStatus } = row;
  const status = findMostUrgent(domainStatus ?? []);
  if (!customDomain && domainCount > 0)
    return (
      <span className={rowStyles.stack}>
        <Link className={rowStyles.link} to={toTenantDomainsPath(_id)} aria-label={messages.showDomainsOf(name)}>
          {messages.page.showDomains}
        </Link>
        {status && <DomainChip status={status} />}
      </span>
    );
  return customDomain ? (
    <span className={rowStyles.stack}>
      <span className={rowStyles.address}>
        <HostLink host={customDomain} text={displayDomain} />
        <WritersOnly>
          <button
            type="button"
            className={`${rowStyles.copy} ${styles.icon}`}
            data-icon={'pencil' satisfies RowIcon}
            aria-label={messages.changeDomainOf(name)}
            onClick={() => onEditDomain(_id)}
          />
        </WritersOnly>
      </span>
      {status && (
        <WritersOnly fallback={<DomainChip status={status} />}>
          <button type="button" className={styles.chip} title={status.displayHost} onClick={() => onEditDomain(_id)}>
            <DomainChip status={status} />
          </button>
        </WritersOnly>
      )}
    </span>
  ) : (
    <WritersOnly>
      <button
        type="button"
        className={styles.add}
        aria-label={messages.addDomainOf(name)}
        onClick={() => onEditDomain(_id)}
      >
        {messages.addDomain}
      </button>
    </WritersOnly>
  );
}

/**
 * The columns of product §2. Widths are in `vw`, because `table-layout: fixed` ignores a `calc()` with a percentage.
 * The limits in pixels leave the width of a wide window to the name.
 */
export const createTenantColumns = ({ onEditDomain, onCheck }: TenantColumnHandlers): Column<TenantRowFragment>[] => [
  {
    id: 'name',
    header: messages.columns.name,
    isHeading: true,
    cell: ({ _id, name, dbName }) => (
      <Link className={rowStyles.name} to={toTenantPath(_id)} title={messages.databaseOf(dbName)}>
        {name}
      </Link>
    ),
    sort: ({ name }) => name,
  },
  {
    id: 'project',
    header: messages.columns.project,
    width: 'min(9.5vw, 170px)',
    cell: ({ project }) => (
      <Link className={styles.project} to={toProjectPath(project._id)} title={messages.projectOf(project.name)}>
        {project.name}
      </Link>
    ),
    sort: ({ project }) => project.name,
  },
  {
    id: 'subdomain',
    isWide: true,
    header: messages.columns.subdomain,
    width: 'min(23vw, 330px)',
    flex: 2.9,
    cell: (row) => <HostCell row={row} onCheck={onCheck} />,
    sort: ({ subdomain }) => subdomain,
  },
  {
    id: 'domain',
    header: messages.columns.domain,
    width: 'min(14.5vw, 300px)',
    flex: 1.55,
    cell: (row) => <DomainCell row={row} onEditDomain={onEditDomain} />,
    sort: ({ customDomain }) => customDomain,
  },
  {
    id: 'responsible',
    header: messages.columns.responsible,
    width: 'min(13.5vw, 320px)',
    flex: 1.7,
    cell: ({ responsibleName, responsibleContact }) =>
      responsibleName || responsibleContact ? (
        <>
          {responsibleName}
          {responsibleContact && (
            <small className={styles.contact} title={responsibleContact}>
              <ContactText text={responsibleContact} />
            </small>
          )}
        </>
      ) : (
        <span className={rowStyles.muted}>{messages.noResponsible}</span>
      ),
    sort: ({ responsibleName }) => responsibleName,
  },
];
