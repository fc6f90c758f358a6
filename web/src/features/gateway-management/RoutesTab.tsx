import { Button } from '@chakra-ui/react';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { CopyButton } from '../../ui/CopyButton';
import type { Column } from '../../ui/columns';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/EmptyState';
import { failureText } from '../../ui/failure';
import { ListState } from '../../ui/ListState';
import { ListToolbar } from '../../ui/ListToolbar';
import { notify } from '../../ui/notification';
import { RowAction } from '../../ui/RowAction';
import { useDialogParam } from '../../ui/useDialogParam';
import { useFailureNotice } from '../../ui/useFailureNotice';
import { useList } from '../../ui/useList';
import { managementMessages } from './gateway-management.messages';
import {
  type RouteRowFragment,
  useDeleteGatewayRouteMutation,
  useGatewayRoutesQuery,
} from './generated/gateway-management';
import { MethodChip } from './MethodChip';
import styles from './management.module.css';
import { RouteDialog } from './RouteDialog';

const { routes: messages, success, failure } = managementMessages;
const DIALOGS = ['nova', 'editar', 'remover'] as const;
const asNotification = (sentence: string) => notify(sentence, { color: 'error' });
const textOf = ({ origin, destination, permission, service, methods }: RouteRowFragment) =>
  `${origin} ${destination} ${permission} ${service.name} ${methods.join(' ')}`;

const columns: Column<RouteRowFragment>[] = [
  {
    id: 'origin',
    header: messages.columns.origin,
    heading: true,
    cell: ({ origin }) => (
      <span className={styles.copyable}>
        <span className={styles.path}>{origin}</span>
        <CopyButton text={origin} label={messages.copyOrigin} />
      </span>
    ),
    sort: ({ origin }) => origin,
  },
  {
    id: 'destination',
    header: messages.columns.destination,
    width: '20%',
    cell: ({ destination }) => <span className={styles.path}>{destination}</span>,
    sort: ({ destination }) => destination,
  },
  {
    id: 'service',
    header: messages.columns.service,
    width: '130px',
    cell: ({ service }) => service.name,
    sort: ({ service }) => service.name,
  },
  {
    id: 'methods',
    header: messages.columns.methods,
    width: '160px',
    cell: ({ methods }) => (
      <span className={styles.methods}>
        {methods.map((method) => (
          <MethodChip key={method} method={method} />
        ))}
      </span>
    ),
  },
  {
    id: 'permission',
    header: messages.columns.permission,
    width: '160px',
    cell: ({ permission }) => <span className={styles.path}>{permission}</span>,
    sort: ({ permission }) => permission,
  },
];

/** The routes: list, create, edit, delete. */
export function RoutesTab() {
  const {
    data: fresh,
    previousData,
    loading,
    error,
    refetch,
  } = useGatewayRoutesQuery({
    fetchPolicy: 'cache-and-network',
  });
  useFailureNotice({ error, loading }, failure.loadRoutes);
  const data = fresh ?? previousData;
  const routes = data?.gatewayRoutes ?? [];
  const list = useList(routes, columns, textOf);
  const dialog = useDialogParam(DIALOGS);
  const chosen = routes.find(({ _id }) => _id === dialog.id);
  const [remove] = useDeleteGatewayRouteMutation();
  const create = (
    <Button onClick={() => dialog.open('nova')}>
      <Plus aria-hidden />
      {messages.add}
    </Button>
  );

  return (
    <>
      <div className={styles.heading}>
        <h2>{messages.listTitle}</h2>
        {routes.length > 0 && create}
      </div>
      <ListState
        ready={data !== undefined}
        loading={loading}
        failure={error ? failureText(error, failure.loadRoutes) : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        {routes.length === 0 ? (
          <EmptyState text={messages.empty} action={create} />
        ) : (
          <>
            <ListToolbar list={list} label={messages.search} />
            <DataList
              list={list}
              label={messages.listTitle}
              rowKey={({ _id }) => _id}
              headingLevel={3}
              actions={({ _id, origin }) => (
                <>
                  <RowAction
                    label={messages.edit}
                    of={origin}
                    icon={<Pencil aria-hidden />}
                    onClick={() => dialog.open('editar', _id)}
                  />
                  <RowAction
                    label={messages.remove}
                    of={origin}
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
      {dialog.name === 'nova' && <RouteDialog onClose={dialog.close} />}
      {dialog.name === 'editar' && chosen && <RouteDialog key={chosen._id} route={chosen} onClose={dialog.close} />}
      {dialog.name === 'remover' && chosen && (
        <ConfirmDialog
          title={messages.removalTitle}
          message={messages.removalMessage(chosen.methods.join(', '), chosen.origin)}
          confirmLabel={messages.remove}
          width={400}
          fallback={failure.deleteRoute}
          onFailure={asNotification}
          onClose={dialog.close}
          onConfirm={async () => {
            await remove({
              variables: { id: chosen._id },
              update: (cache) => {
                dialog.close();
                cache.evict({ id: cache.identify({ __typename: 'GatewayRoute', _id: chosen._id }) });
                cache.gc();
              },
            });
            notify(success.routeDeleted);
          }}
        />
      )}
    </>
  );
}
