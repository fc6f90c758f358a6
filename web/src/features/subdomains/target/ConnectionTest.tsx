import { chakra, Flex, Grid } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, FlaskConical } from 'lucide-react';
import type { ConnectionStepName } from '../../../generated/graph';
import { getErrorFields } from '../../../lib/userError';
import { Alert } from '../../../ui/feedback/Alert';
import { SubmitButton } from '../../../ui/form/Form';
import type { FieldErrors } from '../../../ui/form/formFields';
import { useAction } from '../../../ui/form/useAction';
import { useResponseTo } from '../../../ui/form/useResponseTo';
import { type TestConnectionMutation, useTestConnectionMutation } from '../generated/subdomains';
import { servesVersions, type TargetValues, toTargetInput } from '../subdomainForm';
import { subdomainsMessages } from '../subdomains.messages';

const { test: messages, failure } = subdomainsMessages;

/** The field at which a failed step is shown. */
const FIELDS: Record<TargetValues['type'], Partial<Record<ConnectionStepName, keyof TargetValues>>> = {
  proxy: { tcp: 'port', http: 'port' },
  static: { folder: 'staticPath' },
  tunnel: { dns: 'targetHost', tcp: 'targetPort', tls: 'targetPort', http: 'targetPort' },
};

interface ConnectionTestProps {
  values: TargetValues;
  /** Shows the reason of a failed test at its field. */
  onFieldErrors?: (errors: FieldErrors) => void;
  /** The edited subdomain; undefined for a new one. */
  subdomain?: string;
}

type TestedTarget = TestConnectionMutation['testConnection'];

/** The detail of the failed step, by the field at which it is shown. */
function toFieldErrors(type: TargetValues['type'], { steps }: TestedTarget): FieldErrors {
  const failedStep = steps.find(({ ok }) => !ok);
  const field = failedStep && FIELDS[type][failedStep.step];
  return field ? { [field]: failedStep.detail } : {};
}

function useConnectionTest({ values, onFieldErrors, subdomain }: ConnectionTestProps) {
  const [testTarget] = useTestConnectionMutation({ fetchPolicy: 'no-cache' });
  const input = toTargetInput(values);
  const [testedTarget, setTestedTarget] = useResponseTo<TestedTarget>(input);
  const send = async () => {
    setTestedTarget(null);
    try {
      const { data } = await testTarget({ variables: { input: { ...input, subdomain } } });
      if (!data) return;
      setTestedTarget(data.testConnection);
      onFieldErrors?.(toFieldErrors(values.type, data.testConnection));
    } catch (error) {
      const fields = getErrorFields(error);
      if (!onFieldErrors || Object.keys(fields).length === 0) throw error;
      onFieldErrors(fields);
    }
  };
  return { testedTarget, ...useAction({ failureMessage: failure.test, isFailureNotified: false, send }) };
}

const TestedSteps = ({ steps, usedBy }: TestedTarget) => (
  <chakra.ul fontSize="13px" lineHeight="20px">
    {steps.map(({ step, ok, ms, detail }) => (
      <Flex as="li" key={step} gap="2" data-ok={ok}>
        <chakra.span flex="none" pt="0.5" color={ok ? 'green.fg' : 'fg.error'}>
          {ok ? <CircleCheck aria-hidden size={16} /> : <CircleAlert aria-hidden size={16} />}
        </chakra.span>
        <span>{messages.step(messages.steps[step], detail, ms)}</span>
      </Flex>
    ))}
    {usedBy.length > 0 && <li>{messages.usedBy(usedBy.join(', '))}</li>}
  </chakra.ul>
);

/** Tests the connection to the typed target step by step, without saving it. Versions have no connection to test. */
export function ConnectionTest(props: ConnectionTestProps) {
  const { testedTarget, run, isPending, failure: testFailure } = useConnectionTest(props);
  if (servesVersions(props.values)) return null;
  return (
    <Grid justifyItems="start" gap="2">
      <SubmitButton variant="outline" size="sm" isPending={isPending} icon={<FlaskConical aria-hidden />} onClick={run}>
        {messages.run}
      </SubmitButton>
      {testFailure && <Alert note={testFailure.note}>{testFailure.message}</Alert>}
      <div role="status" aria-label={messages.result}>
        {testedTarget && <TestedSteps {...testedTarget} />}
      </div>
    </Grid>
  );
}
