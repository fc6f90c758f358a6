import {
  ProjectDocument,
  type ProjectQuery,
  type ProjectRowFragment,
  useDeleteProjectMutation,
} from '../../features/projects/generated/projects';
import { ProjectDialog } from '../../features/projects/ProjectDialog';
import { ProjectOverview } from '../../features/projects/ProjectOverview';
import { projectsMessages } from '../../features/projects/projects.messages';
import { readFresh } from '../../lib/graphql/client/client';
import { preloadQuery, revalidateOnPathChange } from '../../lib/graphql/query/preloadQuery';
import { usePreloadedQuery } from '../../lib/graphql/query/usePreloadedQuery';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { getBrand } from '../../lib/page/brand';
import { usePageTitle } from '../../lib/page/usePageTitle';
import { paths } from '../../lib/routing/paths';
import { SCREEN_DIALOG_ID, useDialogParam } from '../../lib/routing/useDialogParam';
import { useAccess } from '../../lib/session/access';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { Page } from '../../ui/layout/Page';
import type { Route } from './+types/ProjectPage';
import { BackLink, EntityPage, useOpenList } from './EntityPage';
import { EditButton, RemoveButton } from './PageActions';
import { SiteTabs } from './SiteTabs';
import { siteMessages } from './site.messages';

const { project: messages } = siteMessages;
const { success, failure } = projectsMessages;

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

export const clientLoader = ({ params: { id } }: Route.ClientLoaderArgs) =>
  preloadQuery(ProjectDocument, { variables: { id } });

export const shouldRevalidate = revalidateOnPathChange;

const selectRow = ({ project }: ProjectQuery) => project;
const DIALOGS = ['editar', 'remover'] as const;

/** The page of a project that exists. */
function Project({ row }: { row: ProjectRowFragment }) {
  usePageTitle(row.name);
  const { canCreateProjects } = useAccess();
  const dialog = useDialogParam(DIALOGS);
  const [deleteProject] = useDeleteProjectMutation();
  const onRemoved = useOpenList(paths.projects);
  const getRemovalProps = useRemoval<ProjectRowFragment>({
    message: ({ name }) => projectsMessages.removal.message(name),
    send: ({ _id }) => deleteProject({ variables: { id: _id } }),
    staleFields: ['projects'],
    onClose: dialog.close,
    onRemoved,
    success: success.removed,
    failureMessage: failure.remove,
  });
  return (
    <Page
      title={row.name}
      back={<BackLink to={paths.projects} label={messages.list} />}
      action={
        <>
          <EditButton onClick={() => dialog.open('editar')} />
          {canCreateProjects && <RemoveButton onClick={() => dialog.open('remover')} />}
        </>
      }
    >
      <SiteTabs
        site={{ type: 'project', key: row._id }}
        label={messages.tabs}
        // The project is read again, because the previous tab may have changed its source.
        onShow={() => void readFresh(ProjectDocument, { id: row._id })}
        overview={<ProjectOverview row={row} />}
      />
      {dialog.name === 'editar' && <ProjectDialog project={row} onClose={dialog.close} />}
      {/* The lists in the tabs also open a dialog named `remover`, with the id of a row. */}
      {dialog.name === 'remover' && dialog.id === SCREEN_DIALOG_ID && <ConfirmDialog {...getRemovalProps(row)} />}
    </Page>
  );
}

/** `/projects/:id`: one project, with the versions and the rules of its tenants. */
export default function ProjectPage({ loaderData }: Route.ComponentProps) {
  const query = usePreloadedQuery(loaderData);
  return (
    <EntityPage query={query} selectRow={selectRow} messages={messages} listPath={paths.projects}>
      {(row) => <Project key={row._id} row={row} />}
    </EntityPage>
  );
}
