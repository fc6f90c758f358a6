import { skipToken } from '@apollo/client/react';
import type { SiteInput } from '../../generated/graph';
import { evictFields } from '../../lib/graphql/client/evictFields';
import { getSiteHost } from '../../lib/hosts/host';
import { useListQuery } from '../../shared/list/useListQuery';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { PanelGrid } from '../../ui/layout/Page';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { CurlPanel } from './CurlPanel';
import {
  type SiteVersionsQuery,
  useCheckVersionedSubdomainMutation,
  useSiteVersionsQuery,
  useVersionedProjectQuery,
  useVersionedSubdomainQuery,
  useVersionedTenantQuery,
} from './generated/versions';
import { PublishPanel } from './PublishPanel';
import { ProjectSource, SubdomainSource, TenantSource } from './Source';
import { VersionList } from './VersionList';
import { type Version, versionColumns } from './versionColumns';
import { versionsMessages as messages } from './versions.messages';

const selectRows = ({ siteVersions }: SiteVersionsQuery) => siteVersions;
const toSearchText = ({ number, message, actor }: Version) => `${number} ${message ?? ''} ${actor}`;

/** The owner of the versions: a subdomain, a tenant with its project, or a project, which has no host. */
function useOwner(site: SiteInput) {
  const { key } = site;
  const subdomains = useVersionedSubdomainQuery(site.type === 'subdomain' ? { variables: { label: key } } : skipToken);
  const tenants = useVersionedTenantQuery(site.type === 'tenant' ? { variables: { id: key } } : skipToken);
  const tenant = tenants.data?.tenant;
  const projectId = site.type === 'project' ? key : tenant?.project._id;
  const projects = useVersionedProjectQuery(projectId === undefined ? skipToken : { variables: { id: projectId } });
  const [check] = useCheckVersionedSubdomainMutation({ update: evictFields('overview') });
  /** Reads the owner again after its files have changed, and checks a subdomain. If the check fails, the shown state stays. */
  const refetch = () => {
    for (const query of [subdomains, tenants, projects]) if (query.data) void query.refetch();
    if (site.type === 'subdomain') void check({ variables: { label: key } }).catch(() => undefined);
  };
  const subdomain = subdomains.data?.subdomain;
  const project = projects.data?.project;
  if (subdomain)
    return { kind: 'subdomain', subdomain, host: getSiteHost(key), type: subdomain.type, refetch } as const;
  if (!project) return { kind: 'loading', host: null, type: null, refetch } as const;
  if (!tenant) return { kind: 'project', project, host: null, type: project.type, refetch } as const;
  return { kind: 'tenant', tenant, project, host: getSiteHost(tenant.subdomain), type: project.type, refetch } as const;
}

/** The tab `Versões`: publishes a site, shows the active version, and activates earlier versions again. */
export default function VersionsTab({ site }: { site: SiteInput }) {
  const owner = useOwner(site);
  const versions = useListQuery(useSiteVersionsQuery({ variables: { site } }), {
    selectRows,
    columns: versionColumns,
    toSearchText,
    failureMessage: messages.failure.load,
  });
  const { activation } = messages;
  const projectName = owner.kind === 'project' ? owner.project.name : '';
  const subject = owner.host ?? activation.project(projectName);
  const refetch = () => {
    void versions.refetch();
    owner.refetch();
  };
  if (owner.type && owner.type !== 'static') return <EmptyState text={messages.source.notStatic} />;
  return (
    <>
      {owner.kind === 'subdomain' && <SubdomainSource row={owner.subdomain} onSourceChanged={refetch} />}
      {owner.kind === 'tenant' && (
        <TenantSource row={owner.tenant} projectName={owner.project.name} onSourceChanged={refetch} />
      )}
      {owner.kind === 'project' && <ProjectSource row={owner.project} onSourceChanged={refetch} />}
      <WritersOnly>
        <PanelGrid>
          <PublishPanel site={site} subject={subject} onPublished={refetch} />
          <CurlPanel site={site} />
        </PanelGrid>
      </WritersOnly>
      <VersionList
        versions={versions}
        subject={subject}
        onActivated={owner.refetch}
        getQuestion={(number) =>
          owner.host ? activation.message(number, owner.host) : activation.messageOfProject(number, projectName)
        }
      />
    </>
  );
}
