import { Button, Flex } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import { useMemo } from 'react';
import type { GatewayRouteSort } from '../../generated/graph';
import { ALL_OR_FIRST_PAGE, useDialogRow } from '../../lib/graphql/query/longLists';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useShowRequests } from '../../lib/routing/useShowRequests';
import { useLongListQuery } from '../../shared/list/useLongListQuery';
import { type ListRequest, toOrder } from '../../shared/list/usePagedList';
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
  useGatewayRoutesQuery,
  useServiceOptionsQuery,
} from './generated/gateway-routes';
import { ROUTE_DIALOGS, RouteDialogs } from './RouteDialogs';
import { routeColumns } from './routeColumns';

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
  const dialog = useDialogParam(ROUTE_DIALOGS);
  const services = useServiceOptionsQuery().data?.gatewayServices ?? NO_SERVICES;
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
      <RouteDialogs dialog={dialog} route={selected} chosenServiceId={routes.list.filter?.value} />
    </>
  );
}
