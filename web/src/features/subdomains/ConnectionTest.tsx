import { CircleAlert, CircleCheck, PlugZap } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '../../ui/feedback/Alert';
import { Button, Spinner } from '../../ui/form/Button';
import { useSubmit } from '../../ui/form/useSubmit';
import { type TestConnectionMutation, useTestConnectionMutation } from './generated/subdomains';
import { type TargetValues, targetInput } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const { test: messages, failure } = subdomainsMessages;

interface ConnectionTestProps {
  values: TargetValues;
  /** The subdomain that is edited; absent for a new one. */
  subdomain?: string;
}

/** Asks the target as it is typed, step by step; saves nothing. */
export function ConnectionTest({ values, subdomain }: ConnectionTestProps) {
  const [ask] = useTestConnectionMutation({ fetchPolicy: 'no-cache' });
  const input = targetInput(values);
  const asked = JSON.stringify(input);
  /** A result is shown only for what is typed now. */
  const [result, setResult] = useState<{ asked: string; found: TestConnectionMutation['testConnection'] } | null>(null);
  const testing = useSubmit({
    fallback: failure.test,
    send: async () => {
      setResult(null);
      const { data } = await ask({ variables: { input: { ...input, subdomain } } });
      if (data) setResult({ asked, found: data.testConnection });
    },
  });
  const found = result?.asked === asked ? result.found : null;
  return (
    <div className={styles.test}>
      <Button variant="outline" size="sm" onClick={testing.submit} aria-busy={testing.pending || undefined}>
        {testing.pending ? <Spinner aria-hidden /> : <PlugZap aria-hidden />}
        {messages.run}
      </Button>
      {testing.failure && <Alert note={testing.failure.note}>{testing.failure.sentence}</Alert>}
      <div role="status" aria-label={messages.result}>
        {found && (
          <ul>
            {found.steps.map(({ step, ok, ms, detail }) => (
              <li key={step} data-ok={ok}>
                {ok ? <CircleCheck aria-hidden size={16} /> : <CircleAlert aria-hidden size={16} />}
                <span>{messages.step(messages.steps[step], detail, ms)}</span>
              </li>
            ))}
            {found.usedBy.length > 0 && <li>{messages.usedBy(found.usedBy.join(', '))}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}
