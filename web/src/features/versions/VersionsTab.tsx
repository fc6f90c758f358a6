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

/** The owner of the versions: a subdomain, a tenant with its project, or a project. */
function useOwner({ type, key }: SiteInput) {
  const subdomains = useVersionedSubdomainQuery(type === 'subdomain' ? { variables: { label: key } } : skipToken);
  const tenants = useVersionedTenantQuery(type === 'tenant' ? { variables: { id: key } } : skipToken);
  const tenant = tenants.data?.tenant;
  const projectId = type === 'project' ? key : tenant?.project._id;
  const projects = useVersionedProjectQuery(projectId === undefined ? skipToken : { variables: { id: projectId } });
  const [check] = useCheckVersionedSubdomainMutation({ update: evictFields('overview') });
  /** Reads the owner again after its files have changed, and checks a subdomain at once. */
  const refetch = () => {
    for (const query of [subdomains, tenants, projects]) if (query.data) void query.refetch();
    if (type === 'subdomain') void check({ variables: { label: key } }).catch(() => undefined);
  };
  return { subdomain: subdomains.data?.subdomain, tenant, project: projects.data?.project, refetch };
}

/** The tab `Versões`: publishes a site, shows the active version, and activates earlier versions again. */
export default function VersionsTab({ site }: { site: SiteInput }) {
  const { subdomain, tenant, project, ...owner } = useOwner(site);
  const versions = useListQuery(useSiteVersionsQuery({ variables: { site } }), {
    selectRows,
    columns: versionColumns,
    toSearchText,
    failureMessage: messages.failure.load,
  });
  const label = subdomain?.subdomain ?? tenant?.subdomain;
  const subject = label ? getSiteHost(label) : messages.activation.project(project?.name ?? '');
  const refetch = () => {
    void versions.refetch();
    owner.refetch();
  };
  const { type } = subdomain ?? project ?? {};
  if (type && type !== 'static') return <EmptyState text={messages.source.notStatic} />;
  return (
    <>
      {subdomain && <SubdomainSource row={subdomain} onSourceChanged={refetch} />}
      {tenant && project && <TenantSource row={tenant} projectName={project.name} onSourceChanged={refetch} />}
      {!tenant && project && <ProjectSource row={project} onSourceChanged={refetch} />}
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
          label
            ? messages.activation.message(number, subject)
            : messages.activation.messageOfProject(number, project?.name ?? '')
        }
      />
    </>
  );
}
