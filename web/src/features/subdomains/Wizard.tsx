import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { versionsPath } from '../../app/paths';
import { whenIdle } from '../../lib/browser/whenIdle';
import { isEqual } from '../../lib/forms/isEqual';
import { evictFields } from '../../lib/graphql/evictFields';
import { getSiteHost } from '../../lib/hosts/host';
import { isObject } from '../../lib/isObject';
import { notify } from '../../lib/notifications/notification';
import { notifySaved } from '../../lib/notifications/notifySaved';
import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { useSubmit } from '../../ui/form/useSubmit';
import { Panel } from '../../ui/layout/Page';
import { slideIn } from '../../ui/layout/slideIn';
import { DescribeStep } from './DescribeStep';
import { useCreateSubdomainMutation, useSuggestSubdomainMutation } from './generated/subdomains';
import { ConfigureStep } from './lazyDialogs';
import { Stepper } from './Stepper';
import { emptySubdomain, servesVersions, subdomainSchema, toSubdomainInput, toSuggestedValues } from './subdomainForm';
import { subdomainsMessages as messages } from './subdomains.messages';
import styles from './subdomains.module.css';
import { useTargetCheck } from './useTargetCheck';

type Step = 1 | 2;

/** The step is kept in the history's state, so that a reload keeps it and Back leaves step 2. */
function useStep(): [step: Step, go: (step: Step, replace?: boolean) => void] {
  const state: unknown = useLocation().state;
  const { update } = useSearchParamsState();
  const step = isObject(state) && state.step === 2 ? 2 : 1;
  const go = (next: Step, replace = next === 1) => update({}, { state: next === 2 ? { step: 2 } : null, replace });
  return [step, go];
}

/** The form of a new subdomain. After the creation, a notification says whether the site answers. */
function useCreationForm(onCreated: () => void) {
  const navigate = useNavigate();
  const [create] = useCreateSubdomainMutation({ update: evictFields('overview') });
  const checkTarget = useTargetCheck();
  return useDraftForm({
    draft: 'subdomains:novo',
    initial: emptySubdomain,
    scope: 'page',
    schema: subdomainSchema,
    onRefused: ({ subdomain, description }) =>
      subdomain.trim() === '' || description.trim() === '' ? messages.form.required : null,
    fallback: messages.failure.create,
    prefer: 'details',
    send: async (values) => {
      const { data } = await create({ variables: { input: toSubdomainInput(values) } });
      markRecentlyCreated(data?.createSubdomain.subdomain);
      return data?.createSubdomain;
    },
    resetsWhenSaved: true,
    onSaved: (created) => {
      onCreated();
      if (!created) return;
      const { subdomain, live = null } = created;
      const publish = () => void navigate(versionsPath(subdomain));
      if (servesVersions(created))
        notify(messages.success.created, {
          note: messages.success.noVersion,
          action: { label: messages.success.publish, run: publish },
        });
      else void notifySaved(messages.success.created, getSiteHost(subdomain), live, () => checkTarget(subdomain));
    },
  });
}

export interface WizardHandle {
  /** Focuses the first field of the step. */
  focus: () => void;
}

interface WizardProps {
  ref: Ref<WizardHandle>;
  /** Returns the names in use. The suggestion avoids them. */
  getExistingNames: () => string[];
  onCreated: () => void;
}

/** Only the newest names are sent, to keep the request small. The core never suggests a name in use. */
const MAX_NAMES = 500;

/** Creates a subdomain in two steps: describe the service, then confirm its target (product §4). */
export function Wizard({ ref, getExistingNames, onCreated }: WizardProps) {
  const [step, go] = useStep();
  const [note, setNote] = useState<string | null>(null);
  const [suggest] = useSuggestSubdomainMutation({ fetchPolicy: 'no-cache' });
  const [wasFocused, setFocused] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const shownStep = useRef(step);

  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    slideIn(content.current, { x: step === 2 ? 16 : -16 });
    heading.current?.focus();
  }, [step]);

  useEffect(() => {
    void whenIdle().then(() => ConfigureStep.preload().catch(() => undefined));
  }, []);

  const form = useCreationForm(() => {
    setNote(null);
    setFocused(false);
    go(1);
    onCreated();
  });
  const { prompt } = form.values;
  useImperativeHandle(ref, () => ({
    focus: () => {
      form.focus(step === 1 ? 'prompt' : 'subdomain');
      // The form grows and moves the button, so the second click of a double click would take the focus from the field.
      const keepFocus = (event: MouseEvent) => event.detail > 1 && event.preventDefault();
      window.addEventListener('mousedown', keepFocus, { capture: true, once: true });
    },
  }));

  const openTypedStep = useEffectEvent(() => {
    if (!isEqual({ ...form.values, prompt: '' }, emptySubdomain)) go(2, true);
  });
  const isRestored = form.restored !== null;
  useEffect(() => {
    if (isRestored) openTypedStep();
  }, [isRestored]);
  const restored = form.restored && {
    ...form.restored,
    onDiscard: () => {
      form.restored?.onDiscard();
      go(1);
    },
  };
  // Most visits are for the list below, so the first step takes one line until a person types in it.
  const isCompact = step === 1 && !wasFocused && prompt === '' && !isRestored;

  const suggestion = useSubmit({
    fallback: messages.failure.suggest,
    onFailure: null,
    send: async () => {
      const { data } = await suggest({
        variables: { description: prompt.trim(), existingSubdomains: getExistingNames().slice(0, MAX_NAMES) },
      });
      if (!data) return;
      form.change(toSuggestedValues(data.suggestSubdomain));
      setNote(data.suggestSubdomain.source === 'ai' ? messages.form.suggestedByAi : messages.form.suggestedLocally);
      go(2);
    },
  });

  return (
    <Panel isCompact={isCompact}>
      <div className={styles.wizard} data-compact={isCompact || undefined}>
        <header className={styles.head}>
          <Stepper step={step} />
          <h2 ref={heading} tabIndex={-1}>
            {step === 1 ? messages.steps.describe : messages.steps.configure}
          </h2>
        </header>
        <div key={step} ref={content}>
          {step === 1 ? (
            <DescribeStep
              field={form.text('prompt', messages.describe)}
              isEmpty={prompt.trim() === ''}
              suggestion={suggestion}
              onManual={() => {
                if (prompt.trim() !== '') form.change({ description: prompt });
                setNote(null);
                go(2);
              }}
              restored={restored}
              isCompact={isCompact}
              onFocus={() => setFocused(true)}
            />
          ) : (
            <ConfigureStep form={{ ...form, restored }} note={note} onClose={() => go(1)} />
          )}
        </div>
      </div>
    </Panel>
  );
}
