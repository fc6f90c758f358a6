import { Link } from 'react-router';
import { getSiteHost, getSiteUrl } from '../../../lib/hosts/host';
import { toSubdomainPath, toVersionsPath } from '../../../lib/routing/paths';
import { HealthBadge } from '../../../shared/host/HealthBadge';
import { HostText } from '../../../shared/host/HostText';
import { HostUptime } from '../../../shared/host/HostUptime';
import { CopyButton } from '../../../ui/cells/CopyButton';
import rowStyles from '../../../ui/cells/cells.module.css';
import { RelativeTime } from '../../../ui/cells/RelativeTime';
import { WritersOnly } from '../../../ui/layout/WritersOnly';
import type { Column } from '../../../ui/list/column';
import type { RowIcon } from '../../../ui/theme/rowIcons';
import type { SubdomainRowFragment } from '../generated/subdomains';
import { awaitsFirstVersion } from '../subdomainForm';
import { subdomainsMessages } from '../subdomains.messages';
import styles from '../subdomains.module.css';
import { Target, TypeChip } from '../target/Target';

const messages = subdomainsMessages.list;

/** Returns the columns of the list. @param check checks the target of a subdomain now */
export const createSubdomainColumns = (
  check: (subdomain: string) => Promise<unknown>,
): Column<SubdomainRowFragment>[] => [
  {
    id: 'address',
    header: messages.columns.address,
    isHeading: true,
    width: '24%',
    cell: ({ subdomain }) => {
      const host = getSiteHost(subdomain);
      return (
        <span className={rowStyles.address}>
          <Link className={rowStyles.name} to={toSubdomainPath(subdomain)} title={host}>
            <HostText host={host} />
          </Link>
          {/* biome-ignore lint/a11y/useAnchorContent: the label names the icon */}
          <a
            className={`${rowStyles.copy} ${styles.open}`}
            href={getSiteUrl(host)}
            target="_blank"
            rel="noreferrer"
            data-icon={'external' satisfies RowIcon}
            aria-label={messages.open(host)}
            title={messages.open(host)}
          />
          <CopyButton text={getSiteUrl(host)} label={messages.copy(host)} />
        </span>
      );
    },
  },
  {
    id: 'state',
    flex: 1.6,
    header: subdomainsMessages.page.state,
    width: 'max(150px, 17vw)',
    cell: (row) => (
      <span className={rowStyles.stack}>
        <HealthBadge
          name={row.subdomain}
          paused={row.paused}
          health={row.health}
          onCheck={() => check(row.subdomain)}
          failureMessage={subdomainsMessages.failure.check}
        />
        {row.health.checkedAt && (
          <HostUptime kind="subdomains" id={row.subdomain} paused={row.paused} health={row.health} />
        )}
        {awaitsFirstVersion(row) && (
          <WritersOnly>
            <Link className={rowStyles.link} to={toVersionsPath(row.subdomain)}>
              {subdomainsMessages.success.publish}
            </Link>
          </WritersOnly>
        )}
      </span>
    ),
  },
  {
    id: 'description',
    isWide: true,
    flex: 1.6,
    header: messages.columns.description,
    cell: ({ description }) => (
      <span className={styles.clamped} title={description}>
        {description}
      </span>
    ),
  },
  {
    id: 'target',
    flex: 1.4,
    header: messages.columns.target,
    width: 'max(140px, 15vw)',
    cell: (row) => (
      <span className={`${rowStyles.stack} ${styles.target}`}>
        <TypeChip type={row.type} />
        <Target row={row} />
      </span>
    ),
  },
  {
    id: 'created',
    header: messages.columns.created,
    width: '112px',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
