import { Pencil } from 'lucide-react';
import { CopyButton } from '../../ui/CopyButton';
import type { Column } from '../../ui/columns';
import { siteHost, siteUrl } from '../../ui/host';
import type { TenantRowFragment } from './generated/tenants';
import { tenantsMessages as messages } from './tenants.messages';
import styles from './tenants.module.css';

/** What the search looks at. */
export const tenantText = ({
  name,
  project,
  subdomain,
  dbName,
  customDomain,
  responsibleName,
  responsibleContact,
}: TenantRowFragment) =>
  [name, project.name, subdomain, dbName, customDomain, responsibleName, responsibleContact].join(' ');

const Host = ({ host }: { host: string }) => (
  <a className={styles.link} href={siteUrl(host)} target="_blank" rel="noreferrer" title={host}>
    {host}
  </a>
);

/** The columns of product-spec §2. @param onDomain asks for the domain dialog of a tenant */
export const tenantColumns = (onDomain: (id: string) => void): Column<TenantRowFragment>[] => [
  {
    id: 'name',
    header: messages.columns.name,
    heading: true,
    cell: ({ name, dbName }) => <span title={messages.databaseOf(dbName)}>{name}</span>,
    sort: ({ name }) => name,
  },
  {
    id: 'project',
    header: messages.columns.project,
    width: '13%',
    cell: ({ project }) => project.name,
    sort: ({ project }) => project.name,
  },
  {
    id: 'subdomain',
    header: messages.columns.subdomain,
    width: '22%',
    cell: ({ subdomain }) => {
      const host = siteHost(subdomain);
      return (
        <span className={styles.host}>
          <Host host={host} />
          <CopyButton text={siteUrl(host)} label={messages.copy(host)} />
        </span>
      );
    },
    sort: ({ subdomain }) => subdomain,
  },
  {
    id: 'domain',
    header: messages.columns.domain,
    width: '18%',
    cell: ({ _id, name, customDomain }) =>
      customDomain ? (
        <span className={styles.host}>
          <Host host={customDomain} />
          <button
            type="button"
            className={styles.icon}
            aria-label={messages.changeDomainOf(name)}
            onClick={() => onDomain(_id)}
          >
            <Pencil aria-hidden size={14} />
          </button>
        </span>
      ) : (
        <button
          type="button"
          className={styles.add}
          aria-label={messages.addDomainOf(name)}
          onClick={() => onDomain(_id)}
        >
          {messages.addDomain}
        </button>
      ),
    sort: ({ customDomain }) => customDomain,
  },
  {
    id: 'responsible',
    header: messages.columns.responsible,
    width: '15%',
    cell: ({ responsibleName, responsibleContact }) =>
      responsibleName || responsibleContact ? (
        <span className={styles.responsible}>
          {responsibleName}
          {responsibleContact && <small>{responsibleContact}</small>}
        </span>
      ) : (
        <span className={styles.none}>{messages.noResponsible}</span>
      ),
    sort: ({ responsibleName }) => responsibleName,
  },
];
