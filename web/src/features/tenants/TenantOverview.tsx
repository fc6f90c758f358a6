import { Flex } from '@chakra-ui/react';
import { getSiteHost, getSiteUrl } from '../../lib/hosts/host';
import { toProjectPath, toTenantDomainsPath } from '../../lib/routing/paths';
import { useAccess } from '../../lib/session/access';
import { DomainChip } from '../../shared/host/DomainChip';
import { findMostUrgent } from '../../shared/host/domainStage';
import { HealthBadge } from '../../shared/host/HealthBadge';
import { TextLink } from '../../shared/links/TextLink';
import { ContactText } from '../../ui/cells/ContactText';
import { CopyableText } from '../../ui/cells/CopyableText';
import { CopyButton } from '../../ui/cells/CopyButton';
import rowStyles from '../../ui/cells/cells.module.css';
import { Fact, Facts } from '../../ui/layout/Facts';
import { Panel } from '../../ui/layout/Page';
import {
  type TenantPageQuery,
  type TenantTargetQuery,
  useCheckTenantMutation,
  useTenantTargetQuery,
} from './generated/tenants';
import { HostLink } from './HostLink';
import { tenantsMessages } from './tenants.messages';

const { page: messages, columns, failure, copy, noResponsible } = tenantsMessages;

type TenantDetails = NonNullable<TenantPageQuery['tenant']>;

/** The target of a tenant's requests: the target of its project, or versions. */
function describeTarget(row: TenantDetails, { project }: TenantTargetQuery): string {
  if (!project) return '';
  const { type, apiPort, staticPath, source } = project;
  if (type === 'proxy') return messages.port(apiPort ?? 0);
  if (row.source === 'versions') return messages.ownVersions;
  return source === 'versions' ? messages.projectVersions : (staticPath ?? '');
}

/** The facts about a tenant: URL, state, project, domain, database and responsible person. */
export function TenantOverview({ row }: { row: TenantDetails }) {
  const { _id, name, project, subdomain, customDomain, displayDomain, domainStatus, dbName } = row;
  const { responsibleName, responsibleContact } = row;
  const { canWrite } = useAccess();
  const [check] = useCheckTenantMutation();
  const { data: target } = useTenantTargetQuery({
    variables: { project: project._id, site: { type: 'tenant', key: _id } },
  });
  const host = getSiteHost(subdomain);
  const status = findMostUrgent(domainStatus ?? []);
  const canAddDomain = canWrite && !customDomain && !target?.domains.length;
  return (
    <Panel title={messages.title}>
      <Facts>
        <Fact label={messages.address}>
          <span className={rowStyles.address}>
            <HostLink host={host} />
            <CopyButton text={getSiteUrl(host)} label={copy(host)} />
          </span>
        </Fact>
        <Fact label={messages.state}>
          <HealthBadge
            name={name}
            paused={row.paused}
            health={row.health}
            onCheck={() => check({ variables: { id: _id } })}
            failureMessage={failure.check}
          />
        </Fact>
        <Fact label={columns.project}>
          <TextLink variant="plain" to={toProjectPath(project._id)}>
            {project.name}
          </TextLink>
        </Fact>
        <Fact label={messages.target}>{target && describeTarget(row, target)}</Fact>
        <Fact label={columns.domain}>
          <Flex as="span" wrap="wrap" align="center" rowGap="1" columnGap="3">
            {customDomain && <HostLink host={customDomain} text={displayDomain} />}
            {status && <DomainChip status={status} />}
            <TextLink variant="plain" to={toTenantDomainsPath(_id, canAddDomain ? { adicionarDominio: '1' } : {})}>
              {canAddDomain ? messages.addDomain : messages.showDomains}
            </TextLink>
          </Flex>
        </Fact>
        <Fact label={columns.responsible}>
          {responsibleName || responsibleContact ? (
            <>
              {responsibleName} {responsibleContact && <ContactText text={responsibleContact} />}
            </>
          ) : (
            <span className={rowStyles.muted}>{noResponsible}</span>
          )}
        </Fact>
        <Fact label={messages.database} note={messages.databaseNote}>
          <CopyableText text={dbName} label={copy(dbName)} />
        </Fact>
      </Facts>
    </Panel>
  );
}
