import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { siteHost } from '../../lib/host';
import { notifySaved } from '../../lib/notifySaved';
import { markRecentlyCreated } from '../../lib/recentlyCreated';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { useForm } from '../../ui/form/useForm';
import { type FieldErrors, useSubmit } from '../../ui/form/useSubmit';
import { Panel } from '../../ui/layout/Page';
import { preloadMotion, slideIn } from '../../ui/layout/slideIn';
import { uiMessages } from '../../ui/ui.messages';
import { ConfigureStep } from './ConfigureStep';
import { DescribeStep } from './DescribeStep';
import { useCreateSubdomainMutation, useSuggestSubdomainMutation } from './generated/subdomains';
import { Stepper } from './Stepper';
import { emptySubdomain, type SubdomainValues, subdomainInput, suggestedValues } from './subdomainForm';
import { subdomainsMessages as messages } from './subdomains.messages';
import styles from './subdomains.module.css';

/** The step is in the history's state: a reload keeps it, Back leaves step 2. */
function useStep(): [step: 1 | 2, go: (step: 1 | 2) => void] {
  const { state } = useLocation();
  const { update } = useSearchParamsState();
  const current: unknown = state;
  const step = typeof current === 'object' && current !== null && 'step' in current && current.step === 2 ? 2 : 1;
  const go = (next: 1 | 2) => update(() => undefined, { state: next === 2 ? { step: 2 } : null, replace: next === 1 });
  return [step, go];
}

function checkSubdomain({ subdomain, description }: SubdomainValues): FieldErrors {
  const found: FieldErrors = {};
  if (!subdomain.trim()) found.subdomain = uiMessages.required;
  if (!description.trim()) found.description = uiMessages.required;
  if (found.subdomain || found.description) found.form = messages.form.required;
  return found;
}

interface WizardProps {
  /** Names in use, for the suggestion. */
  existing: () => string[];
  onCreated: () => void;
}

/** The newest names are hint enough, and keep the request small: the core itself never suggests a taken one. */
const MAX_NAMES = 500;

/** Creates a subdomain in two steps: describe it, then confirm where it leads (product §4). */
export function Wizard({ existing, onCreated }: WizardProps) {
  const [step, go] = useStep();
  const [note, setNote] = useState<string | null>(null);
  const [suggest] = useSuggestSubdomainMutation({ fetchPolicy: 'no-cache' });
  const [create] = useCreateSubdomainMutation({ fetchPolicy: 'no-cache' });
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const shownStep = useRef(step);
  useEffect(preloadMotion, []);

  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    slideIn(content.current, { x: step === 2 ? 16 : -16 });
    heading.current?.focus();
  }, [step]);

  const form = useForm({
    draft: 'subdomains:novo',
    initial: emptySubdomain,
    scope: 'page',
    check: checkSubdomain,
    fallback: messages.failure.create,
    prefer: 'details',
    send: async (values) => {
      const { data } = await create({ variables: { input: subdomainInput(values) } });
      markRecentlyCreated(data?.createSubdomain.subdomain);
      return data?.createSubdomain;
    },
    resetsWhenSaved: true,
    onSaved: (created) => {
      setNote(null);
      go(1);
      notifySaved(messages.success.created, siteHost(created?.subdomain ?? ''), created?.live ?? null);
      onCreated();
    },
  });
  const { prompt } = form.values;

  const suggestion = useSubmit({
    fallback: messages.failure.suggest,
    send: async () => {
      const { data } = await suggest({
        variables: { description: prompt.trim(), existingSubdomains: existing().slice(0, MAX_NAMES) },
      });
      if (!data) return;
      form.change(suggestedValues(data.suggestSubdomain));
      setNote(data.suggestSubdomain.source === 'ai' ? messages.form.suggestedByAi : messages.form.suggestedLocally);
      go(2);
    },
  });

  return (
    <Panel>
      <header className={styles.head}>
        <Stepper step={step} />
        <h2 ref={heading} tabIndex={-1}>
          {step === 1 ? messages.steps.describe : messages.steps.configure}
        </h2>
      </header>
      <div key={step} ref={content}>
        {step === 1 ? (
          <DescribeStep
            prompt={prompt}
            onChange={(text) => form.change({ prompt: text })}
            onGenerate={suggestion.submit}
            onManual={() => {
              form.change({ description: prompt });
              setNote(null);
              go(2);
            }}
            pending={suggestion.pending}
            failure={suggestion.failure}
            restored={form.restored}
          />
        ) : (
          <ConfigureStep form={form} note={note} onBack={() => go(1)} />
        )}
      </div>
    </Panel>
  );
}
