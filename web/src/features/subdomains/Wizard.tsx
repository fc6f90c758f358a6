import * as m from 'framer-motion/m';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { announceArrival } from '../../ui/arrivals';
import { Motion } from '../../ui/Motion';
import { notify } from '../../ui/notification';
import { Panel } from '../../ui/Page';
import { uiMessages } from '../../ui/ui.messages';
import { useDraft } from '../../ui/useDraft';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { ConfigureStep } from './ConfigureStep';
import { DescribeStep } from './DescribeStep';
import { useCreateSubdomainMutation, useSuggestSubdomainMutation } from './generated/subdomains';
import { Stepper } from './Stepper';
import { emptySubdomain, subdomainInput, suggestedValues } from './subdomainForm';
import { subdomainsMessages as messages } from './subdomains.messages';

/** The step is in the history's state: a reload keeps it, Back leaves step 2. */
function useStep(): [step: 1 | 2, go: (step: 1 | 2) => void] {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const current: unknown = state;
  const step = typeof current === 'object' && current !== null && 'step' in current && current.step === 2 ? 2 : 1;
  const go = (next: 1 | 2) =>
    void navigate(
      { search },
      { state: next === 2 ? { step: 2 } : null, replace: next === 1, preventScrollReset: true },
    );
  return [step, go];
}

interface WizardProps {
  /** Names in use, for the suggestion. */
  existing: () => string[];
  onCreated: () => void;
}

/** The newest names are hint enough, and keep the request small: the core itself never suggests a taken one. */
const MOST_NAMES = 500;

/** Creates a subdomain in two steps: describe it, then confirm where it leads (product-spec §4). */
export function Wizard({ existing, onCreated }: WizardProps) {
  const [step, go] = useStep();
  const { values, change, settle } = useDraft('subdomains:novo', emptySubdomain, 'page');
  const [note, setNote] = useState<string | null>(null);
  const [suggest] = useSuggestSubdomainMutation({ fetchPolicy: 'no-cache' });
  const [create] = useCreateSubdomainMutation({ fetchPolicy: 'no-cache' });
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);

  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
  }, [step]);

  const suggestion = useSubmit({
    fallback: messages.failure.suggest,
    send: async () => {
      const { data } = await suggest({
        variables: { description: values.prompt.trim(), existingSubdomains: existing().slice(0, MOST_NAMES) },
      });
      if (!data) return;
      change(suggestedValues(data.suggestSubdomain));
      setNote(data.suggestSubdomain.source === 'ai' ? messages.form.suggestedByAi : messages.form.suggestedLocally);
      go(2);
    },
  });

  const creation = useSubmit({
    fallback: messages.failure.create,
    prefer: 'details',
    check: () => {
      const found: FieldErrors = {};
      if (!values.subdomain.trim()) found.subdomain = uiMessages.required;
      if (!values.description.trim()) found.description = uiMessages.required;
      if (found.subdomain || found.description) found.form = messages.form.required;
      return found;
    },
    send: async () => {
      const { data } = await create({ variables: { input: subdomainInput(values) } });
      announceArrival(data?.createSubdomain.subdomain);
      settle(emptySubdomain);
      setNote(null);
      go(1);
      notify(messages.success.created);
      onCreated();
    },
  });

  return (
    <Panel>
      <Stepper step={step} />
      <Motion>
        <m.div
          key={step}
          initial={shown.current === step ? false : { opacity: 0, x: step === 2 ? 16 : -16 }}
          animate={{ opacity: 1, x: 0 }}
          transition={{ duration: 0.18, ease: [0.2, 0.8, 0.2, 1] }}
        >
          <h2 ref={heading} tabIndex={-1}>
            {step === 1 ? messages.steps.describe : messages.steps.configure}
          </h2>
          {step === 1 ? (
            <DescribeStep
              prompt={values.prompt}
              onChange={(prompt) => change({ prompt })}
              onGenerate={suggestion.submit}
              onManual={() => {
                change({ description: values.prompt });
                setNote(null);
                go(2);
              }}
              pending={suggestion.pending}
              failure={suggestion.failure}
            />
          ) : (
            <ConfigureStep
              values={values}
              change={change}
              note={note}
              onBack={() => go(1)}
              onSubmit={creation.submit}
              pending={creation.pending}
              errors={creation.errors}
              failure={creation.failure}
            />
          )}
        </m.div>
      </Motion>
    </Panel>
  );
}
