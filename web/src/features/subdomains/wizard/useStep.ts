import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router';
import { isEqual } from '../../../lib/forms/isEqual';
import { isObject } from '../../../lib/isObject';
import { useSearchParamsState } from '../../../lib/routing/useSearchParamsState';
import { emptySubdomain } from '../subdomainForm';
import type { useCreationForm } from './useCreationForm';

type Step = 1 | 2;
type GoToStep = (step: Step, options?: { replace: boolean }) => void;

/** The step is in the history's state, so that a reload keeps it and Back leaves step 2. Step 1 replaces step 2. */
export function useStep(): [step: Step, go: GoToStep] {
  const state: unknown = useLocation().state;
  const { update } = useSearchParamsState();
  const step = isObject(state) && state.step === 2 ? 2 : 1;
  const go: GoToStep = (next, { replace } = { replace: next === 1 }) =>
    update({}, { state: next === 2 ? { step: 2 } : null, replace });
  return [step, go];
}

type RestoredForm = Pick<ReturnType<typeof useCreationForm>, 'getValues' | 'restored'>;

/** Opens step 2 for a restored draft that has values of that step, and step 1 after the draft is discarded. */
export function useRestoredStep({ getValues, restored }: RestoredForm, go: GoToStep) {
  const openTypedStep = useEffectEvent(() => {
    if (!isEqual({ ...getValues(), prompt: '' }, emptySubdomain)) go(2, { replace: true });
  });
  const isRestored = restored !== null;
  useEffect(() => {
    if (isRestored) openTypedStep();
  }, [isRestored]);
  const onDiscard = () => {
    restored?.onDiscard();
    go(1);
  };
  return restored && { ...restored, onDiscard };
}
