import { readFresh } from '../../lib/graphql/client/client';
import { evictFields } from '../../lib/graphql/client/evictFields';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { RadioField } from '../../ui/form/fields/RadioField';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { servicesMessages as messages } from './gateway-services.messages';
import {
  GatewayServiceDocument,
  type ServiceRowFragment,
  useServiceDependentsQuery,
  useUpdateGatewayServiceMutation,
} from './generated/gateway-services';
import { PolicyFields } from './PolicyFields';
import { ServiceFields } from './ServiceFields';
import {
  type ServiceChanges,
  serviceChangesSchema,
  toPolicyInput,
  toPolicyValues,
  toServiceInput,
  toServiceValues,
} from './serviceForm';

const toValues = (service: ServiceRowFragment): ServiceChanges => ({
  ...toServiceValues(service),
  ...toPolicyValues(service),
  renameRoutes: 'keep',
});

/** Edits a service. If the name was changed, the dialog asks whether the routes below the old name move. */
export function EditServiceDialog({ service, onClose }: { service: ServiceRowFragment; onClose: () => void }) {
  const [update] = useUpdateGatewayServiceMutation({
    // A cached route has the old name of the service, and perhaps an old origin.
    update: evictFields('gatewayRoutes', 'gatewayRoutePage'),
  });
  const { data } = useServiceDependentsQuery({ variables: { serviceId: service._id } });
  const form = useAppForm({
    draft: `services:${service._id}`,
    initial: toValues(service),
    schema: serviceChangesSchema,
    failureMessage: messages.failure.update,
    isFailureNotified: true,
    send: (values, version) => {
      const input = { ...toServiceInput(values), ...toPolicyInput(values) };
      const renameRoutes = input.name !== service.name && values.renameRoutes === 'move';
      return update({ variables: { id: service._id, input: { ...input, renameRoutes }, version } });
    },
    editedEntity: {
      row: service,
      read: async () => (await readFresh(GatewayServiceDocument, { id: service._id }))?.gatewayService,
      toValues,
      labels: messages,
    },
    onSaved: onClose,
    success: messages.success.updated,
  });
  const { name } = toServiceInput({ name: form.watch('name'), host: form.watch('host') });
  const routeCount = data?.serviceDependents.routes ?? 0;
  return (
    <FormDialog title={messages.editTitle} width={600} form={form} onClose={onClose}>
      <ServiceFields form={form} />
      {name !== '' && name !== service.name && routeCount > 0 && (
        <RadioField
          options={[
            { value: 'keep', label: messages.renaming.keep(service.name) },
            { value: 'move', label: messages.renaming.move(name) },
          ]}
          {...form.choice('renameRoutes', { renameRoutes: messages.renaming.question(routeCount) })}
        />
      )}
      <PolicyFields form={form} />
    </FormDialog>
  );
}
