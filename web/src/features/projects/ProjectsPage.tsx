import { Plus } from 'lucide-react';
import { useNavigate } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { brand } from '../../lib/brand';
import { useDialogParam } from '../../lib/useDialogParam';
import { useRemoval } from '../../lib/useRemoval';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Button } from '../../ui/form/Button';
import { Page } from '../../ui/layout/Page';
import { Chip } from '../../ui/list/Chip';
import type { Column } from '../../ui/list/column';
import { DataList } from '../../ui/list/DataList';
import { ListQueryView } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../ui/list/RowAction';
import { useListQuery } from '../../ui/list/useListQuery';
import {
  type ProjectRowFragment,
  type ProjectsQuery,
  useDeleteProjectMutation,
  useProjectsQuery,
} from './generated/projects';
import { ProjectDialog } from './ProjectDialog';
import { projectsMessages as messages } from './projects.messages';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const columns: Column<ProjectRowFragment>[] = [
  { id: 'name', header: messages.columns.name, heading: true, cell: ({ name }) => name, sort: ({ name }) => name },
  {
    id: 'type',
    header: messages.columns.type,
    width: '160px',
    short: true,
    cell: ({ type }) => <Chip color={type === 'proxy' ? 'blue' : 'green'}>{messages.types[type]}</Chip>,
    sort: ({ type }) => messages.types[type],
  },
  {
    id: 'dbPrefix',
    header: messages.columns.dbPrefix,
    width: '25%',
    short: true,
    cell: ({ dbPrefix }) => (dbPrefix ? <code>{dbPrefix}</code> : messages.noPrefix),
    sort: ({ dbPrefix }) => dbPrefix,
  },
];
const DIALOGS = ['novo', 'editar', 'remover'] as const;
const rowsOf = ({ projects }: ProjectsQuery) => projects;
const textOf = ({ name, dbPrefix, type }: ProjectRowFragment) => `${name} ${dbPrefix} ${messages.types[type]}`;

/** `/projects`: all projects; create, edit, remove. */
export default function ProjectsPage() {
  const projects = useListQuery(useProjectsQuery(), { rowsOf, columns, textOf, fallback: messages.failure.load });
  const navigate = useNavigate();
  const dialog = useDialogParam(DIALOGS);
  const chosen = projects.all.find(({ _id }) => _id === dialog.id);
  const [deleteProject] = useDeleteProjectMutation();
  const removal = useRemoval<ProjectRowFragment>({
    title: messages.removal.title,
    message: ({ name }) => messages.removal.message(name),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteProject({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'Project', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    fallback: messages.failure.remove,
  });

  const create = (
    <Button onClick={() => dialog.open('novo')}>
      <Plus aria-hidden />
      {messages.create}
    </Button>
  );

  return (
    <Page title={messages.title} subtitle={messages.subtitle} action={!projects.isEmpty && create}>
      <ListQueryView
        query={projects}
        searchLabel={messages.search}
        empty={<EmptyState text={messages.empty} action={create} />}
      >
        <DataList
          list={projects.list}
          label={messages.list}
          rowKey={({ _id }) => _id}
          actionsWidth="304px"
          actions={({ _id, name }) => (
            <>
              <RowAction
                label={messages.tenants}
                of={name}
                icon="users"
                onClick={() => void navigate(withParams(paths.tenants, { filtro: _id }))}
              />
              <EditAction label={messages.edit} of={name} onClick={() => dialog.open('editar', _id)} />
              <RemoveAction label={messages.remove} of={name} onClick={() => dialog.open('remover', _id)} />
            </>
          )}
        />
      </ListQueryView>
      {dialog.name === 'novo' && <ProjectDialog onClose={dialog.close} />}
      {dialog.name === 'editar' && chosen && <ProjectDialog key={chosen._id} project={chosen} onClose={dialog.close} />}
      {dialog.name === 'remover' && chosen && <ConfirmDialog {...removal(chosen)} />}
    </Page>
  );
}
