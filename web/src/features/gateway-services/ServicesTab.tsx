import { skipToken } from '@apollo/client/react';
import type { ComponentType } from 'react';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useListQuery } from '../../shared/list/useListQuery';
import { CopyableText } from '../../ui/cells/CopyableText';
import { DateTime } from '../../ui/cells/RelativeTime';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import type { Column } from '../../ui/list/column';
import { ListSection } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../ui/list/rows/RowAction';
import { CreateServiceForm } from './CreateServiceForm';
import { EditServiceDialog } from './EditServiceDialog';
import { servicesMessages as messages } from './gateway-services.messages';
import {
  type GatewayServicesQuery,
  type ServiceRowFragment,
  useDeleteGatewayServiceMutation,
  useGatewayServicesQuery,
  useServiceDependentsQuery,
} from './generated/gateway-services';

const DIALOGS = ['editar', 'remover', 'importar'] as const;
const selectRows = ({ gatewayServices }: GatewayServicesQuery) => gatewayServices;
const toSearchText = ({ name, host }: ServiceRowFragment) => `${name} ${host}`;

const columns: Column<ServiceRowFragment>[] = [
  { id: 'name', header: messages.columns.name, isHeading: true, sort: ({ name }) => name },
  {
    id: 'host',
    header: messages.columns.host,
    width: '35%',
    cell: ({ host }) => <CopyableText text={host} label={messages.copyHost} />,
    sort: ({ host }) => host,
  },
  {
    id: 'createdAt',
    header: messages.columns.createdAt,
    width: '150px',
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
];

interface ServicesTabProps {
  /**
   * The dialog that imports routes from a service's manifest. The screen passes it in, because features do not import
   * each other.
   */
  ImportDialog: ComponentType<{ service: ServiceRowFragment; onClose: () => void; onImported: () => void }>;
  /** Shows the routes of a service. With `replace`, the routes replace the dialog in the history. */
  onShowRoutes: (service: ServiceRowFragment, entry: { replace: boolean }) => void;
}

/** A form for a new service, the list of services, and the import of their routes. */
export function ServicesTab({ ImportDialog, onShowRoutes }: ServicesTabProps) {
  const dialog = useDialogParam(DIALOGS);
  const services = useListQuery(useGatewayServicesQuery(), {
    selectRows,
    columns,
    toSearchText,
    failureMessage: messages.failure.load,
    isFailureNotified: true,
  });
  const selected = services.loadedRows.find(({ _id }) => _id === dialog.id);
  const [deleteService] = useDeleteGatewayServiceMutation();
  const serviceId = dialog.name === 'remover' && selected?._id;
  const { data: dependents } = useServiceDependentsQuery(
    serviceId ? { variables: { serviceId }, fetchPolicy: 'network-only' } : skipToken,
  );
  const getRemovalProps = useRemoval<ServiceRowFragment>({
    message: ({ name }) => messages.removal.message(name, dependents?.serviceDependents),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteService({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'GatewayService', _id }),
    // The server has also removed the routes of the service.
    staleFields: ['gatewayRoutes', 'gatewayRoutePage'],
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
    isFailureNotified: true,
  });

  return (
    <>
      <WritersOnly>
        <CreateServiceForm />
      </WritersOnly>
      <ListSection
        query={services}
        texts={messages.list}
        actionsWidth="440px"
        actionCount={4}
        actions={(service) => (
          <>
            <RowAction
              label={messages.showRoutes}
              icon="route"
              onClick={() => onShowRoutes(service, { replace: false })}
            />
            <RowAction
              label={messages.importRoutes}
              icon="download"
              onClick={() => dialog.open('importar', service._id)}
            />
            <EditAction onClick={() => dialog.open('editar', service._id)} />
            <RemoveAction label={messages.remove} onClick={() => dialog.open('remover', service._id)} />
          </>
        )}
      />
      {dialog.name === 'editar' && selected && (
        <EditServiceDialog key={selected._id} service={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'importar' && selected && (
        <ImportDialog
          key={selected._id}
          service={selected}
          onClose={dialog.close}
          onImported={() => onShowRoutes(selected, { replace: true })}
        />
      )}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </>
  );
}
