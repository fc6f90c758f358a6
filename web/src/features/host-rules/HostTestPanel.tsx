import { Check, CircleCheck, CircleX, Minus, X } from 'lucide-react';
import { useState } from 'react';
import { boolean, type InferOutput, object, string } from 'valibot';
import type { HostPolicyInput } from '../../generated/graph';
import { CheckField } from '../../ui/form/checkFields';
import { Form, SubmitButton } from '../../ui/form/Form';
import { SelectField } from '../../ui/form/SelectField';
import { requiredText } from '../../ui/form/schemas';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { Panel } from '../../ui/layout/Page';
import { type TestHostMutation, useTestHostMutation } from './generated/host-rules';
import { hostRulesMessages } from './host-rules.messages';
import styles from './host-rules.module.css';

const { testing: messages } = hostRulesMessages;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ICONS = { passed: Check, refused: X, off: Minus };
const schema = object({
  url: requiredText(),
  method: string(),
  address: string(),
  password: string(),
  isBrowser: boolean(),
});
type Values = InferOutput<typeof schema>;
type Verdict = TestHostMutation['testHost'];

const stepName = (step: string): string => Object.entries(messages.steps).find(([name]) => name === step)?.[1] ?? step;

function HostVerdict({ verdict: { status, allowed, steps, location, headers, file } }: { verdict: Verdict }) {
  const Icon = allowed ? CircleCheck : CircleX;
  return (
    <section className={styles.verdict} aria-label={messages.verdict}>
      <p className={styles.summary} data-allowed={allowed}>
        <Icon aria-hidden size={20} />
        <strong>{allowed ? messages.allowed(status) : messages.refused(status)}</strong>
      </p>
      <ol className={styles.steps}>
        {steps.map(({ step, state, detail, from }) => {
          const StepIcon = ICONS[state];
          return (
            <li key={step} data-state={state}>
              <StepIcon aria-label={messages.states[state]} size={16} />
              <span>
                <strong>{stepName(step)}</strong>
                <small>
                  {detail}
                  {from && ` (${messages.from[from]})`}
                </small>
              </span>
            </li>
          );
        })}
      </ol>
      <dl className={styles.answer}>
        {location && (
          <div>
            <dt>{messages.location}</dt>
            <dd>{location}</dd>
          </div>
        )}
        {file && (
          <div>
            <dt>{messages.file}</dt>
            <dd>{file}</dd>
          </div>
        )}
        {headers.length > 0 && (
          <div>
            <dt>{messages.headers}</dt>
            {headers.map(({ name, value }) => (
              <dd key={name}>
                {name}: {value}
              </dd>
            ))}
          </div>
        )}
      </dl>
    </section>
  );
}

interface HostTestPanelProps {
  /** The address of the site. */
  url: string;
  /** The rules in the form. A verdict of earlier ones is hidden. */
  policy: HostPolicyInput;
}

/** `Testar endereço`: shows what a visitor would get with the rules in the form, which need not be saved. */
export function HostTestPanel({ url, policy }: HostTestPanelProps) {
  const [test] = useTestHostMutation({ fetchPolicy: 'no-cache' });
  const [answer, setAnswer] = useState<{ asked: string; verdict: Verdict } | null>(null);
  const askedBy = (values: Values) => JSON.stringify([values, policy]);
  const initial: Values = { url, method: 'GET', address: '', password: '', isBrowser: true };
  const form = useDraftForm({
    draft: null,
    scope: null,
    schema,
    initial,
    fallback: messages.failure,
    send: async (values) => {
      const { address, password, isBrowser } = values;
      const input = {
        url: values.url.trim(),
        method: values.method,
        accept: isBrowser ? 'text/html,*/*' : '*/*',
        ...(address.trim() && { address: address.trim() }),
        ...(password && { password }),
        policy,
      };
      const { data } = await test({ variables: { input } });
      if (data) setAnswer({ asked: askedBy(values), verdict: data.testHost });
    },
  });
  const { values } = form;
  return (
    <Panel title={messages.title} text={messages.text}>
      <Form
        className={styles.form}
        aria-label={messages.title}
        onSubmit={form.submit}
        errors={form.errors}
        failure={form.failure}
      >
        <div className={styles.request}>
          <SelectField
            label={messages.method}
            options={METHODS.map((value) => ({ value, label: value }))}
            {...form.choice('method')}
          />
          <TextField label={messages.url} {...form.text('url')} {...CODE_INPUT} required />
        </div>
        <div className={styles.pair}>
          <TextField
            label={messages.address}
            {...form.text('address')}
            {...CODE_INPUT}
            hint={messages.addressHint}
            optional
          />
          <TextField label={messages.password} {...form.text('password')} {...CODE_INPUT} optional />
        </div>
        <CheckField label={messages.browser} {...form.check('isBrowser')} />
        <div className={styles.buttons}>
          <SubmitButton pending={form.pending}>{messages.submit}</SubmitButton>
        </div>
      </Form>
      <div role="status">{answer?.asked === askedBy(values) && <HostVerdict verdict={answer.verdict} />}</div>
    </Panel>
  );
}
