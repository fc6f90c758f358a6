import { Button } from '@chakra-ui/react';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { brand } from '../../ui/brand';
import { Chip } from '../../ui/Chip';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { Column } from '../../ui/columns';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/EmptyState';
import { failureText } from '../../ui/failure';
import { ListState } from '../../ui/ListState';
import { ListToolbar } from '../../ui/ListToolbar';
import { notify } from '../../ui/notification';
import { Page } from '../../ui/Page';
import { RowAction } from '../../ui/RowAction';
import { useDialogParam } from '../../ui/useDialogParam';
import { useList } from '../../ui/useList';
import { type ProjectRowFragment, useDeleteProjectMutation, useProjectsQuery } from './generated/projects';
import { ProjectDialog } from './ProjectDialog';
import { projectsMessages as messages } from './projects.messages';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const columns: Column<ProjectRowFragment>[] = [
  { id: 'name', header: messages.columns.name, heading: true, cell: ({ name }) => name, sort: ({ name }) => name },
  {
    id: 'type',
    header: messages.columns.type,
    width: '160px',
    cell: ({ type }) => <Chip color={type === 'proxy' ? 'blue' : 'green'}>{messages.types[type]}</Chip>,
    sort: ({ type }) => messages.types[type],
  },
  {
    id: 'dbPrefix',
    header: messages.columns.dbPrefix,
    width: '25%',
    cell: ({ dbPrefix }) => (dbPrefix ? <code>{dbPrefix}</code> : messages.noPrefix),
    sort: ({ dbPrefix }) => dbPrefix,
  },
];
const DIALOGS = ['novo', 'editar', 'remover'] as const;
const textOf = ({ name, dbPrefix, type }: ProjectRowFragment) => `${name} ${dbPrefix} ${messages.types[type]}`;

/** `/projects`: all projects; create, edit, remove. */
export default function ProjectsPage() {
  const { data: fresh, previousData, loading, error, refetch } = useProjectsQuery();
  const data = fresh ?? previousData;
  const projects = data?.projects ?? [];
  const list = useList(projects, columns, textOf);
  const dialog = useDialogParam(DIALOGS);
  const [remove] = useDeleteProjectMutation();
  const chosen = projects.find(({ _id }) => _id === dialog.id);

  const create = (
    <Button onClick={() => dialog.open('novo')}>
      <Plus aria-hidden />
      {messages.create}
    </Button>
  );

  return (
    <Page title={messages.title} subtitle={messages.subtitle} action={projects.length > 0 && create}>
      <ListState
        ready={data !== undefined}
        loading={loading}
        failure={error ? failureText(error, messages.failure.load) : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        {projects.length === 0 ? (
          <EmptyState text={messages.empty} action={create} />
        ) : (
          <>
            <ListToolbar list={list} label={messages.search} />
            <DataList
              list={list}
              label={messages.list}
              rowKey={({ _id }) => _id}
              actions={({ _id, name }) => (
                <>
                  <RowAction
                    label={messages.edit}
                    of={name}
                    icon={<Pencil aria-hidden />}
                    onClick={() => dialog.open('editar', _id)}
                  />
                  <RowAction
                    label={messages.remove}
                    of={name}
                    icon={<Trash2 aria-hidden />}
                    danger
                    onClick={() => dialog.open('remover', _id)}
                  />
                </>
              )}
            />
          </>
        )}
      </ListState>
      {dialog.name === 'novo' && <ProjectDialog onClose={dialog.close} />}
      {dialog.name === 'editar' && chosen && <ProjectDialog key={chosen._id} project={chosen} onClose={dialog.close} />}
      {dialog.name === 'remover' && chosen && (
        <ConfirmDialog
          title={messages.removal.title}
          message={messages.removal.message(chosen.name)}
          confirmLabel={messages.removal.confirm}
          width={400}
          fallback={messages.failure.remove}
          onClose={dialog.close}
          onConfirm={async () => {
            await remove({
              variables: { id: chosen._id },
              update: (cache) => {
                dialog.close();
                cache.evict({ id: cache.identify({ __typename: 'Project', _id: chosen._id }) });
                cache.gc();
              },
            });
            notify(messages.success.removed);
          }}
        />
      )}
    </Page>
  );
}
