import { useNavigate } from 'react-router';
import type { ProjectSort } from '../../generated/graph';
import { ALL_OR_FIRST_PAGE, useDialogRow } from '../../lib/graphql/query/longLists';
import { preloadQuery, revalidateNever } from '../../lib/graphql/query/preloadQuery';
import { usePreloadedQuery } from '../../lib/graphql/query/usePreloadedQuery';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { getBrand } from '../../lib/page/brand';
import { paths, withParams } from '../../lib/routing/paths';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useAccess } from '../../lib/session/access';
import { useLongListQuery } from '../../shared/list/useLongListQuery';
import { type ListRequest, toOrder } from '../../shared/list/usePagedList';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { AddButton } from '../../ui/layout/AddButton';
import { Page } from '../../ui/layout/Page';
import { ListQueryView } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../ui/list/rows/RowAction';
import type { Route } from './+types/ProjectsPage';
import {
  ProjectDocument,
  type ProjectQuery,
  type ProjectRowFragment,
  ProjectsDocument,
  useDeleteProjectMutation,
} from './generated/projects';
import { ProjectDialog } from './ProjectDialog';
import { projectColumns } from './projectColumns';
import { projectsMessages as messages } from './projects.messages';

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

export const clientLoader = () => preloadQuery(ProjectsDocument, { variables: ALL_OR_FIRST_PAGE });

export const shouldRevalidate = revalidateNever;

const DIALOGS = ['novo', 'editar', 'remover'] as const;
const selectRow = ({ project }: ProjectQuery) => project;
const SORTS = ['name', 'type', 'dbPrefix'] as const satisfies ProjectSort[];
const toVariables = (request: ListRequest) => ({
  search: request.search,
  sortBy: SORTS.find((column) => column === request.sort?.column),
  order: toOrder(request),
});
const toSearchText = ({ name, dbPrefix, type }: ProjectRowFragment) => `${name} ${dbPrefix} ${messages.types[type]}`;

/** `/projects`: all projects, with actions that create, edit and remove them. */
export default function ProjectsPage({ loaderData }: Route.ComponentProps) {
  const dialog = useDialogParam(DIALOGS);
  const projects = useLongListQuery(usePreloadedQuery(loaderData), {
    document: ProjectsDocument,
    toVariables,
    columns: projectColumns,
    toSearchText,
    failureMessage: messages.failure.load,
  });
  const navigate = useNavigate();
  const { canCreateProjects } = useAccess();
  const selected = useDialogRow(projects, dialog.id, ProjectDocument, selectRow);
  const [deleteProject] = useDeleteProjectMutation();
  const getRemovalProps = useRemoval<ProjectRowFragment>({
    message: ({ name }) => messages.removal.message(name),
    send: ({ _id }) => deleteProject({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'Project', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });

  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      action={canCreateProjects && <AddButton label={messages.create} onClick={() => dialog.open('novo')} />}
    >
      <ListQueryView
        query={projects}
        texts={messages.list}
        actionsWidth="304px"
        actions={({ _id }) => (
          <>
            <RowAction
              allowViewers
              label={messages.tenants}
              icon="users"
              onClick={() => void navigate(withParams(paths.tenants, { filtro: _id }))}
            />
            <EditAction onClick={() => dialog.open('editar', _id)} />
            {canCreateProjects && <RemoveAction onClick={() => dialog.open('remover', _id)} />}
          </>
        )}
      />
      {dialog.name === 'novo' && <ProjectDialog onClose={dialog.close} />}
      {dialog.name === 'editar' && selected && (
        <ProjectDialog key={selected._id} project={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </Page>
  );
}
