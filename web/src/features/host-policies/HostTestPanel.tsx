import { chakra, Grid, SimpleGrid } from '@chakra-ui/react';
import { boolean, type InferOutput, object, string } from 'valibot';
import type { HostPolicyInput } from '../../generated/graph';
import { Verdict } from '../../ui/feedback/Verdict';
import { Form, SubmitButton } from '../../ui/form/Form';
import { CheckField } from '../../ui/form/fields/checkFields';
import { SelectField } from '../../ui/form/fields/SelectField';
import { CODE_INPUT, TextField } from '../../ui/form/fields/textFields';
import { requiredText } from '../../ui/form/schema/schemas';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { useResponseTo } from '../../ui/form/useResponseTo';
import { Panel } from '../../ui/layout/Page';
import { type TestHostMutation, useTestHostMutation } from './generated/host-policies';
import { hostPoliciesMessages } from './host-policies.messages';

const { testing: messages } = hostPoliciesMessages;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const schema = object({
  url: requiredText(),
  method: string(),
  address: string(),
  password: string(),
  isBrowser: boolean(),
});
type Values = InferOutput<typeof schema>;
type HostVerdictData = TestHostMutation['testHost'];

const getStepName = (step: string): string =>
  Object.entries(messages.steps).find(([name]) => name === step)?.[1] ?? step;

const HostVerdict = ({ status, allowed, steps, location, headers, file }: HostVerdictData) => (
  <Verdict
    label={messages.verdict}
    isAllowed={allowed}
    title={allowed ? messages.allowed(status) : messages.refused(status)}
    steps={steps.map(({ step, state, detail, from }) => ({
      name: getStepName(step),
      state,
      stateText: messages.states[state],
      detail: from ? `${detail} (${messages.from[from]})` : detail,
    }))}
    facts={[
      { label: messages.location, values: location ? [location] : [] },
      { label: messages.file, values: file ? [file] : [] },
      { label: messages.headers, values: headers.map(({ name, value }) => `${name}: ${value}`) },
    ]}
  />
);

interface HostTestPanelProps {
  url: string;
  /** The rules in the form. A change of the rules hides the last verdict. */
  policy: HostPolicyInput;
}

/** `Testar endereço`: shows what a visitor would get with the rules in the form, which need not be saved. */
export function HostTestPanel({ url, policy }: HostTestPanelProps) {
  const [test] = useTestHostMutation({ fetchPolicy: 'no-cache' });
  const initial: Values = { url, method: 'GET', address: '', password: '', isBrowser: true };
  const form = useAppForm({
    initial,
    schema,
    scope: null,
    failureMessage: messages.failure,
    send: async (values) => {
      const { address, password, isBrowser } = values;
      const input = {
        url: values.url.trim(),
        method: values.method,
        accept: isBrowser ? 'text/html,*/*' : '*/*',
        address: address.trim() || undefined,
        password: password || undefined,
        policy,
      };
      const { data } = await test({ variables: { input } });
      if (data) setVerdict(data.testHost);
    },
  });
  const [verdict, setVerdict] = useResponseTo<HostVerdictData>([form.watch(), policy]);
  return (
    <Panel title={messages.title} text={messages.text}>
      <Form aria-label={messages.title} form={form}>
        <Grid templateColumns={{ sm: '128px minmax(0, 1fr)' }} gap="4">
          <SelectField
            {...form.choice('method', messages)}
            options={METHODS.map((value) => ({ value, label: value }))}
          />
          <TextField {...form.text('url', messages)} {...CODE_INPUT} required />
        </Grid>
        <SimpleGrid columns={{ md: 2 }} gap="4">
          <TextField {...form.text('address', messages)} {...CODE_INPUT} optional />
          <TextField {...form.text('password', messages)} {...CODE_INPUT} optional />
        </SimpleGrid>
        <CheckField {...form.check('isBrowser', messages)} />
        <div>
          <SubmitButton isPending={form.isPending}>{messages.submit}</SubmitButton>
        </div>
      </Form>
      <div role="status">
        {verdict && (
          <chakra.div mt="4">
            <HostVerdict {...verdict} />
          </chakra.div>
        )}
      </div>
    </Panel>
  );
}
