import { NetworkStatus } from '@apollo/client';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { type DialogParam, SCREEN_DIALOG_ID } from '../../lib/routing/useDialogParam';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { routesMessages as messages } from './gateway-routes.messages';
import {
  type RouteRowFragment,
  useDeleteGatewayRouteMutation,
  useServiceOptionsQuery,
} from './generated/gateway-routes';
import { RouteDialog } from './RouteDialog';

const TestRouteDialog = lazyDialog(() => import('./dry-run/TestRouteDialog'));

export const ROUTE_DIALOGS = ['nova', 'editar', 'remover', 'testar'] as const;

interface RouteDialogsProps {
  dialog: DialogParam<(typeof ROUTE_DIALOGS)[number]>;
  /** The route of the dialog; undefined until the route is read. */
  route: RouteRowFragment | undefined;
  /** The service of the list's filter; undefined or empty for all services. */
  chosenServiceId: string | undefined;
}

export function RouteDialogs({ dialog: { name, id, close }, route, chosenServiceId }: RouteDialogsProps) {
  const { data, networkStatus } = useServiceOptionsQuery();
  const [deleteRoute] = useDeleteGatewayRouteMutation();
  const getRemovalProps = useRemoval<RouteRowFragment>({
    message: ({ methods, origin }) => messages.removal.message(methods.join(', '), origin),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteRoute({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'GatewayRoute', _id }),
    onClose: close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
    isFailureNotified: true,
  });

  if (name === 'nova') {
    // A preselection after the dialog has opened would count as a change of the form.
    if (networkStatus === NetworkStatus.loading) return null;
    const onlyService = data?.gatewayServices.length === 1 ? data.gatewayServices[0] : undefined;
    return <RouteDialog serviceId={chosenServiceId || onlyService?._id} onClose={close} />;
  }
  if (name === 'testar' && (route || id === SCREEN_DIALOG_ID))
    return <TestRouteDialog key={id} route={route} onClose={close} />;
  if (!route) return null;
  if (name === 'editar') return <RouteDialog key={route._id} route={route} onClose={close} />;
  if (name === 'remover') return <ConfirmDialog {...getRemovalProps(route)} />;
  return null;
}
