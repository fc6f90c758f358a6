import { announceArrival } from '../../ui/arrivals';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, CheckGroup, SelectField, TextField } from '../../ui/fields';
import { notify } from '../../ui/notification';
import { useDraft } from '../../ui/useDraft';
import { useSubmit } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import {
  GatewayRoutesDocument,
  type RouteRowFragment,
  useCreateGatewayRouteMutation,
  useGatewayServicesQuery,
  useUpdateGatewayRouteMutation,
} from './generated/gateway-management';
import styles from './management.module.css';
import { checkRoute, httpMethods, routeInput, routeValues } from './routeForm';

const { routes: messages, success, failure } = managementMessages;
const code = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

/** Creates a route, or edits the given one. */
export function RouteDialog({ route, onClose }: { route?: RouteRowFragment; onClose: () => void }) {
  const { data } = useGatewayServicesQuery();
  const { values, change, settle } = useDraft(`routes:${route?._id ?? 'novo'}`, routeValues(route));
  const [create] = useCreateGatewayRouteMutation({ refetchQueries: [GatewayRoutesDocument] });
  const [update] = useUpdateGatewayRouteMutation();
  const form = useSubmit({
    fallback: route ? failure.updateRoute : failure.createRoute,
    check: () => checkRoute(values),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      const input = routeInput(values);
      if (route) await update({ variables: { id: route._id, input } });
      else announceArrival((await create({ variables: { input } })).data?.createGatewayRoute._id);
      settle();
      onClose();
      notify(route ? success.routeUpdated : success.routeCreated);
    },
  });
  const { errors } = form;

  return (
    <FormDialog
      title={route ? messages.editTitle : messages.createTitle}
      width={600}
      submitLabel={messages.save}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      <SelectField
        label={messages.columns.service}
        value={values.serviceId}
        options={(data?.gatewayServices ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        placeholder={messages.servicePlaceholder}
        onChange={(serviceId) => change({ serviceId })}
        hint={data?.gatewayServices.length === 0 ? messages.needService : undefined}
        error={errors.serviceId}
        required
      />
      <TextField
        label={messages.columns.origin}
        value={values.origin}
        onChange={(origin) => change({ origin })}
        error={errors.origin}
        hint={messages.originHint}
        placeholder={messages.originPlaceholder}
        required
        {...code}
      />
      <TextField
        label={messages.columns.destination}
        value={values.destination}
        onChange={(destination) => change({ destination })}
        error={errors.destination}
        hint={messages.destinationHint}
        placeholder={messages.destinationPlaceholder}
        required
        {...code}
      />
      <CheckGroup label={messages.columns.methods} error={errors.methods} required>
        <div className={styles.choices}>
          {httpMethods.map((method) => (
            <CheckField
              key={method}
              label={method}
              checked={values.methods.includes(method)}
              onChange={(on) =>
                change({ methods: [...values.methods.filter((one) => one !== method), ...(on ? [method] : [])] })
              }
            />
          ))}
        </div>
      </CheckGroup>
      <TextField
        label={messages.columns.permission}
        value={values.permission}
        onChange={(permission) => change({ permission })}
        error={errors.permission}
        placeholder={messages.permissionPlaceholder}
        maxLength={100}
        required
        {...code}
      />
    </FormDialog>
  );
}
