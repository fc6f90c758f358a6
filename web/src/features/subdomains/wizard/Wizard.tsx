import { chakra } from '@chakra-ui/react';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { whenIdle } from '../../../lib/browser/whenIdle';
import { useAction } from '../../../ui/form/useAction';
import { Panel } from '../../../ui/layout/Page';
import { slideIn } from '../../../ui/layout/slideIn';
import { useSuggestSubdomainMutation } from '../generated/subdomains';
import { ConfigureStep } from '../lazyDialogs';
import { toSuggestedValues } from '../subdomainForm';
import { subdomainsMessages as messages } from '../subdomains.messages';
import { DescribeStep } from './DescribeStep';
import { Stepper } from './Stepper';
import { useCreationForm } from './useCreationForm';
import { useRestoredStep, useStep } from './useStep';

interface WizardProps {
  /** `focus` focuses the first field of the step. */
  ref: Ref<Pick<HTMLElement, 'focus'>>;
  /** Returns names in use, the newest first. The suggestion avoids them. */
  getExistingNames: () => string[];
  onCreated: () => void;
}

/** Only the newest names are sent, to keep the request small. The core never suggests a name in use. */
const MAX_NAMES = 500;

/** While the first step is compact, a wide window shows heading, field and stepper in one line. */
const compactCss = {
  '2xl': {
    display: 'flex',
    alignItems: 'center',
    gap: '6',
    '& > header': { display: 'contents' },
    '& > header > ol': { flex: 'none', order: '1' },
    '& > header > h2': { flex: 'none', order: '-1' },
  },
};

/** Slides the content in when the step changes, and focuses its heading. */
function useStepChange(step: 1 | 2) {
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    slideIn(content.current, { x: step === 2 ? 16 : -16 });
    heading.current?.focus();
  }, [step]);
  return { heading, content };
}

/** Calls `focus`. As the form grows, a double click must not focus the element that comes under the pointer. */
function focusAfterClick(focus: () => void): void {
  focus();
  const keepFocus = (event: MouseEvent) => event.detail > 1 && event.preventDefault();
  window.addEventListener('mousedown', keepFocus, { capture: true, once: true });
}

interface SuggestionOptions {
  form: ReturnType<typeof useCreationForm>;
  getExistingNames: WizardProps['getExistingNames'];
  /** Called with the note about the source of the suggestion, when the form has the suggested values. */
  onSuggested: (note: string) => void;
}

/** Asks the core to suggest the values of the form from its description. */
function useSuggestion({ form, getExistingNames, onSuggested }: SuggestionOptions) {
  const [suggest] = useSuggestSubdomainMutation();
  return useAction({
    failureMessage: messages.failure.suggest,
    isFailureNotified: false,
    send: async () => {
      const description = form.getValues('prompt').trim();
      const existingSubdomains = getExistingNames().slice(0, MAX_NAMES);
      const { data } = await suggest({ variables: { description, existingSubdomains } });
      if (!data) return;
      form.change(toSuggestedValues(data.suggestSubdomain));
      onSuggested(data.suggestSubdomain.source === 'ai' ? messages.form.suggestedByAi : messages.form.suggestedLocally);
    },
  });
}

/** Creates a subdomain in two steps: describe the service, then confirm its target (product §4). */
export function Wizard({ ref, getExistingNames, onCreated }: WizardProps) {
  const [step, go] = useStep();
  const [note, setNote] = useState<string | null>(null);
  const [wasFocused, setFocused] = useState(false);
  const { heading, content } = useStepChange(step);

  useEffect(() => {
    void whenIdle().then(() => ConfigureStep.preload().catch(() => undefined));
  }, []);

  const form = useCreationForm(() => {
    setNote(null);
    setFocused(false);
    go(1);
    onCreated();
  });
  const openConfigureStep = (newNote: string | null) => {
    setNote(newNote);
    go(2);
  };
  const suggestion = useSuggestion({ form, getExistingNames, onSuggested: openConfigureStep });
  const prompt = form.watch('prompt');
  useImperativeHandle(ref, () => ({
    focus: () => focusAfterClick(() => form.focus(step === 1 ? 'prompt' : 'subdomain')),
  }));
  const restored = useRestoredStep(form, go);
  // Most visits are for the list below, so the first step takes one line until its field has the focus.
  const isCompact = step === 1 && !wasFocused && prompt === '' && !restored;

  return (
    <Panel isCompact={isCompact}>
      <chakra.div css={isCompact ? compactCss : undefined} data-open={!isCompact || undefined}>
        <chakra.header
          display={{ base: 'grid', lg: 'flex' }}
          flexDirection="row-reverse"
          alignItems={{ lg: 'center' }}
          justifyContent={{ lg: 'space-between' }}
          rowGap={isCompact ? '1' : '5'}
          columnGap="6"
        >
          <Stepper step={step} isCompact={isCompact} />
          <chakra.h2 ref={heading} tabIndex={-1}>
            {step === 1 ? messages.steps.describe : messages.steps.configure}
          </chakra.h2>
        </chakra.header>
        <chakra.div key={step} ref={content} flex="1">
          {step === 1 ? (
            <DescribeStep
              form={{ ...form, restored }}
              suggestion={suggestion}
              onManual={() => {
                if (prompt.trim() !== '') form.change({ description: prompt });
                openConfigureStep(null);
              }}
              isCompact={isCompact}
              onFocus={() => setFocused(true)}
            />
          ) : (
            <ConfigureStep form={{ ...form, restored }} note={note} onClose={() => go(1)} />
          )}
        </chakra.div>
      </chakra.div>
    </Panel>
  );
}
