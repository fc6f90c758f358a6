import { NetworkStatus } from '@apollo/client';
import { Button, Flex } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import { useMemo } from 'react';
import type { GatewayRouteSort } from '../../generated/graph';
import { ALL_OR_FIRST_PAGE, useDialogRow } from '../../lib/graphql/query/usePages';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { SCREEN_DIALOG_ID, useDialogParam } from '../../lib/routing/useDialogParam';
import { useShowRequests } from '../../lib/routing/useShowRequests';
import { type ListRequest, toOrder, useLongListQuery } from '../../shared/list/useLongListQuery';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { AddButton } from '../../ui/layout/AddButton';
import { SectionHeading } from '../../ui/layout/Page';
import { ListQueryView } from '../../ui/list/ListQueryView';
import type { ListFilter } from '../../ui/list/list';
import { EditAction, RemoveAction, RequestsAction, RowAction } from '../../ui/list/rows/RowAction';
import { GatewayUrl } from './GatewayUrl';
import { routesMessages as messages } from './gateway-routes.messages';
import {
  GatewayRouteDocument,
  type GatewayRouteQuery,
  GatewayRoutesDocument,
  type RouteRowFragment,
  type ServiceOptionsQuery,
  useDeleteGatewayRouteMutation,
  useGatewayRoutesQuery,
  useServiceOptionsQuery,
} from './generated/gateway-routes';
import { RouteDialog } from './RouteDialog';
import { routeColumns } from './routeColumns';

const DIALOGS = ['nova', 'editar', 'remover', 'testar'] as const;
const TestRouteDialog = lazyDialog(() => import('./dry-run/TestRouteDialog'));
const selectRow = ({ gatewayRoute }: GatewayRouteQuery) => gatewayRoute;
const SORTS = ['origin', 'destination', 'service', 'permission'] as const satisfies GatewayRouteSort[];
const toVariables = (request: ListRequest) => ({
  search: request.search,
  service: request.filter,
  sortBy: SORTS.find((column) => column === request.sort?.column),
  order: toOrder(request),
});
const toSearchText = ({ origin, destination, permission, service, methods, public: isPublic }: RouteRowFragment) =>
  `${origin} ${destination} ${permission} ${service.name} ${methods.join(' ')} ${isPublic ? messages.isPublic : ''}`;

type Service = ServiceOptionsQuery['gatewayServices'][number];
const NO_SERVICES: readonly Service[] = [];
const getServiceId = ({ service }: RouteRowFragment) => service._id;

/** The filter by service. It offers services without routes, too. */
function useServiceFilter(services: readonly Service[]): ListFilter<RouteRowFragment> {
  return useMemo(() => {
    const options = toRowOptions(services);
    options.sort((a, b) => a.label.localeCompare(b.label, 'pt-BR'));
    return { label: messages.columns.service, allLabel: messages.allServices, options, getValue: getServiceId };
  }, [services]);
}

export function RoutesTab() {
  const dialog = useDialogParam(DIALOGS);
  const options = useServiceOptionsQuery();
  const services = options.data?.gatewayServices ?? NO_SERVICES;
  const onlyService = services.length === 1 ? services[0] : undefined;
  const routes = useLongListQuery(useGatewayRoutesQuery({ variables: ALL_OR_FIRST_PAGE }), {
    document: GatewayRoutesDocument,
    toVariables,
    columns: routeColumns,
    toSearchText,
    filter: useServiceFilter(services),
    failureMessage: messages.failure.load,
    isFailureNotified: true,
  });
  const showRequests = useShowRequests();
  const selected = useDialogRow(routes, dialog.id, GatewayRouteDocument, selectRow);
  const [deleteRoute] = useDeleteGatewayRouteMutation();
  const getRemovalProps = useRemoval<RouteRowFragment>({
    message: ({ methods, origin }) => messages.removal.message(methods.join(', '), origin),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteRoute({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'GatewayRoute', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
    isFailureNotified: true,
  });
  return (
    <>
      <SectionHeading
        title={messages.list.title}
        action={
          <Flex wrap="wrap" gap="2">
            <Button variant="outline" onClick={() => dialog.open('testar')}>
              <FlaskConical aria-hidden />
              {messages.test}
            </Button>
            <AddButton label={messages.add} onClick={() => dialog.open('nova')} />
          </Flex>
        }
      />
      <GatewayUrl />
      <ListQueryView
        query={routes}
        texts={messages.list}
        headingLevel={3}
        actionsWidth="252px"
        actionCount={4}
        actions={({ _id, origin }) => (
          <>
            <RequestsAction onClick={() => showRequests('rota', _id, origin)} />
            <RowAction
              allowViewers
              label={messages.testOne}
              icon="flask"
              isIconOnly
              onClick={() => dialog.open('testar', _id)}
            />
            <EditAction onClick={() => dialog.open('editar', _id)} />
            <RemoveAction label={messages.remove} onClick={() => dialog.open('remover', _id)} />
          </>
        )}
      />
      {/* The dialog waits for the services, because it preselects the service if there is only one.
          A later preselection would count as a change of the form. */}
      {dialog.name === 'nova' && options.networkStatus !== NetworkStatus.loading && (
        <RouteDialog serviceId={routes.list.filter?.value || onlyService?._id} onClose={dialog.close} />
      )}
      {dialog.name === 'editar' && selected && (
        <RouteDialog key={selected._id} route={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'testar' && (dialog.id === SCREEN_DIALOG_ID || selected) && (
        <TestRouteDialog key={dialog.id} route={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </>
  );
}
