import type { FocusEvent } from 'react';
import { readFresh } from '../../lib/graphql/client/client';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { CheckField, CheckList } from '../../ui/form/fields/checkFields';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { SelectField } from '../../ui/form/fields/SelectField';
import { CODE_INPUT, TextField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { routesMessages as messages } from './gateway-routes.messages';
import {
  GatewayRouteDocument,
  GatewayRoutesDocument,
  type RouteRowFragment,
  useCreateGatewayRouteMutation,
  useServiceOptionsQuery,
  useUpdateGatewayRouteMutation,
} from './generated/gateway-routes';
import { httpMethods, routeSchema, toRouteInput, toRoutePath, toRouteValues } from './routeForm';

const { success, failure } = messages;
const TEXTS = { ...messages, ...messages.columns, serviceId: messages.columns.service };
const METHODS = httpMethods.map((value) => ({ value, label: value }));

interface RouteDialogProps {
  /** The route to edit. If it is undefined, a route is created. */
  route?: RouteRowFragment;
  /** The initially chosen service of a new route. */
  serviceId?: string;
  onClose: () => void;
}

export function RouteDialog({ route, serviceId, onClose }: RouteDialogProps) {
  const { data, state } = useQueryState(useServiceOptionsQuery(), { failureMessage: failure.loadServices });
  const [create] = useCreateGatewayRouteMutation({ refetchQueries: [GatewayRoutesDocument] });
  const [update] = useUpdateGatewayRouteMutation();
  const findServiceName = (id: unknown) => data?.gatewayServices.find(({ _id }) => _id === id)?.name;
  const form = useAppForm({
    draft: `routes:${route?._id ?? 'novo'}`,
    initial: toRouteValues(route, serviceId),
    schema: routeSchema,
    failureMessage: route ? failure.update : failure.create,
    isFailureNotified: true,
    send: async (values, version) => {
      const input = toRouteInput(values);
      if (route) await update({ variables: { id: route._id, input, version } });
      else markRecentlyCreated((await create({ variables: { input } })).data?.createGatewayRoute._id);
    },
    editedEntity: route && {
      row: route,
      read: async () => (await readFresh(GatewayRouteDocument, { id: route._id }))?.gatewayRoute,
      toValues: (row) => toRouteValues(row),
      labels: TEXTS,
      format: (field, value) => (field === 'serviceId' ? findServiceName(value) : undefined),
    },
    onSaved: onClose,
    success: route ? success.updated : success.created,
  });
  const getPathFieldProps = (name: 'origin' | 'destination') => ({
    ...CODE_INPUT,
    ...form.text(name, TEXTS),
    onBlur: ({ target }: FocusEvent<HTMLInputElement>) => {
      const path = toRoutePath(target.value);
      if (path !== target.value) form.change({ [name]: path });
    },
    required: true,
  });
  return (
    <FormDialog title={route ? messages.editTitle : messages.createTitle} width={600} form={form} onClose={onClose}>
      <LoadFailed {...state} />
      <SelectField
        {...form.choice('serviceId', TEXTS)}
        options={toRowOptions(data?.gatewayServices)}
        hint={data?.gatewayServices.length === 0 ? messages.needService : undefined}
        required
      />
      <TextField {...getPathFieldProps('origin')} />
      <TextField {...getPathFieldProps('destination')} />
      <CheckList {...form.choice('methods', TEXTS)} options={METHODS} isInline required />
      <TextField {...form.text('permission', TEXTS)} required={!form.watch('public')} {...CODE_INPUT} />
      <CheckField {...form.check('public', messages)} />
    </FormDialog>
  );
}
