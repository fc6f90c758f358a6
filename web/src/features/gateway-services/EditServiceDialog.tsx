import { notify, notifyFailure } from '../../lib/notification';
import { useFreshRow } from '../../lib/useFreshRow';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { RadioField } from '../../ui/form/RadioField';
import { useForm } from '../../ui/form/useForm';
import { servicesMessages as messages } from './gateway-services.messages';
import {
  GatewayServicesDocument,
  type GatewayServicesQuery,
  type ServiceRowFragment,
  useServiceDependentsQuery,
  useUpdateGatewayServiceMutation,
} from './generated/gateway-services';
import { PolicyFields } from './PolicyFields';
import { ServiceFields } from './ServiceFields';
import {
  checkPolicies,
  checkService,
  type PolicyValues,
  policyInput,
  policyValues,
  type ServiceValues,
  serviceInput,
  serviceValues,
} from './serviceForm';

interface EditValues extends ServiceValues, PolicyValues {
  /** Whether the origins below the old name move: `sim` or `nao`. */
  renameRoutes: 'sim' | 'nao';
}

const NAMES = {
  name: messages.name,
  host: messages.host,
  extraHosts: messages.extraHosts,
  healthPath: messages.healthPath,
  timeoutSeconds: messages.timeout,
  maxBodyMb: messages.maxBody,
  cors: messages.cors,
  corsHeaders: messages.corsHeaders,
  corsCredentials: messages.corsCredentials,
  corsMaxAge: messages.corsMaxAge,
};
const rowsOf = ({ gatewayServices }: GatewayServicesQuery) => gatewayServices;
const valuesOf = (service: ServiceRowFragment): EditValues => ({
  ...serviceValues(service),
  ...policyValues(service),
  renameRoutes: 'nao',
});

/** Edits a service. After a change of its name it asks whether the routes below the old name move. */
export function EditServiceDialog({ service, onClose }: { service: ServiceRowFragment; onClose: () => void }) {
  const [update] = useUpdateGatewayServiceMutation({
    // Routes show the name of their service, and may have moved with it.
    update: (cache) => {
      cache.evict({ fieldName: 'gatewayRoutes' });
      cache.gc();
    },
  });
  const { data } = useServiceDependentsQuery({ variables: { serviceId: service._id }, fetchPolicy: 'no-cache' });
  const readService = useFreshRow(GatewayServicesDocument, rowsOf);
  const form = useForm({
    draft: `services:${service._id}`,
    initial: valuesOf(service),
    check: (values) => ({ ...checkService(values), ...checkPolicies(values) }),
    edited: {
      version: service.version,
      read: async () => {
        const row = await readService(service._id);
        return row && { version: row.version, values: valuesOf(row) };
      },
      names: NAMES,
    },
    fallback: messages.failure.update,
    onFailure: notifyFailure,
    send: (values, version) => {
      const input = { ...serviceInput(values), ...policyInput(values) };
      const renameRoutes = input.name !== service.name && values.renameRoutes === 'sim';
      return update({ variables: { id: service._id, input: { ...input, renameRoutes }, version } });
    },
    onSaved: () => {
      onClose();
      notify(messages.success.updated);
    },
  });
  const { name } = serviceInput(form.values);
  const routes = data?.serviceDependents.routes ?? 0;
  return (
    <FormDialog title={messages.editTitle} width={600} submitLabel={messages.save} form={form} onClose={onClose}>
      <ServiceFields form={form} />
      {name !== '' && name !== service.name && routes > 0 && (
        <RadioField
          label={messages.renaming.question(routes)}
          value={form.values.renameRoutes}
          options={[
            { value: 'nao', label: messages.renaming.keep(service.name) },
            { value: 'sim', label: messages.renaming.move(name) },
          ]}
          onChange={(renameRoutes) => form.change({ renameRoutes })}
        />
      )}
      <PolicyFields form={form} />
    </FormDialog>
  );
}
