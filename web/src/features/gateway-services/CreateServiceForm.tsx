import { chakra } from '@chakra-ui/react';
import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { Form, SubmitButton } from '../../ui/form/Form';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { Panel } from '../../ui/layout/Page';
import { servicesMessages as messages } from './gateway-services.messages';
import { GatewayServicesDocument, useCreateGatewayServiceMutation } from './generated/gateway-services';
import { ServiceFields } from './ServiceFields';
import { serviceSchema, toServiceInput, toServiceValues } from './serviceForm';

export function CreateServiceForm() {
  const [create] = useCreateGatewayServiceMutation({ refetchQueries: [GatewayServicesDocument] });
  const form = useAppForm({
    draft: 'services:novo',
    initial: toServiceValues(),
    schema: serviceSchema,
    scope: 'page',
    failureMessage: messages.failure.create,
    isFailureNotified: true,
    send: async (values) => {
      const { data } = await create({ variables: { input: toServiceInput(values) } });
      markRecentlyCreated(data?.createGatewayService._id);
    },
    onSaved: () => form.reset(toServiceValues()),
    success: messages.success.created,
  });
  return (
    <Panel title={messages.formTitle}>
      <Form
        gridTemplateColumns={{ md: '1fr 1fr auto' }}
        alignItems="start"
        css={{ '& > [role=status]': { gridColumn: '1 / -1' } }}
        form={form}
        failure={null}
      >
        <ServiceFields form={form} />
        <chakra.div pt={{ md: '26px' }}>
          <SubmitButton isPending={form.isPending}>{messages.add}</SubmitButton>
        </chakra.div>
      </Form>
    </Panel>
  );
}
