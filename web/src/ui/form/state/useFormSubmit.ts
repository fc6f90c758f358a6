import { type RefObject, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { notify, notifyError, type OutcomeTexts } from '../../../lib/notifications/notification';
import { getErrorFields, isAbort, toUserError, type UserError } from '../../../lib/userError';
import { toPath } from './useFormFields';
import { isWaiting, type Waiting } from './waiting';

export interface SubmitOptions<Values, Result> extends OutcomeTexts {
  /** Called after `send`, when the form is clean, for example to close the dialog. */
  onSaved?: (result: Result) => void;
  /**
   * Called when the values are invalid. Returns the message of the form's alert; null shows only the messages at the
   * fields.
   */
  onInvalid?: (values: Values) => string | null;
}

interface SendSteps<Values, Result> {
  send: (values: Values) => Promise<Result | Waiting>;
  /** Called after `send`, before `onSaved`. */
  markSaved: (values: Values) => void;
  /** True from `onSaved` until a change. A double tap must not send again while the dialog closes. */
  isSaved: RefObject<boolean>;
  /** Shows a failure in the form's alert; null removes it. */
  setFailure: (failure: UserError | null) => void;
}

/** Returns the field of an input's property: `rate.requests` is `rateRequests` or else `requests` (decision 122). */
function toFieldName(property: string, values: FieldValues): string {
  const joinedName = property.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joinedName in values ? joinedName : property.slice(property.lastIndexOf('.') + 1);
}

/** Returns the function that submits a form, one call at a time. A refusal by the server is shown at its fields. */
export function useFormSubmit<Values extends FieldValues, Result>(
  form: Pick<UseFormReturn<Values>, 'getValues' | 'handleSubmit' | 'setError'>,
  { send, markSaved, isSaved, setFailure }: SendSteps<Values, Result>,
  { onSaved, success, failureMessage, messageFrom, isFailureNotified, onInvalid }: SubmitOptions<Values, Result>,
): () => void {
  const isSending = useRef(false);

  const showError = (error: unknown) => {
    if (isAbort(error)) return;
    const values = form.getValues();
    const refusedFields = Object.entries(getErrorFields(error)).map(
      ([property, message]) => [toFieldName(property, values), message] as const,
    );
    for (const [name, message] of refusedFields) form.setError(toPath<Values>(name), { message });
    const userError = toUserError(error, failureMessage, messageFrom);
    const isShownAtField = refusedFields.some(([name]) => name in values);
    // An alert or a notification would only repeat the message at the field.
    if (isShownAtField && userError.note === undefined && !userError.record) return;
    setFailure(userError);
    if (isFailureNotified) notifyError(userError);
  };
  const onValid = async (values: Values) => {
    try {
      const result = await send(values);
      if (isWaiting(result)) return;
      markSaved(values);
      isSaved.current = onSaved !== undefined;
      onSaved?.(result);
      if (success !== undefined) notify(success);
    } catch (error) {
      showError(error);
    }
  };
  const showInvalid = () => {
    const message = onInvalid?.(form.getValues()) ?? null;
    if (message !== null) setFailure({ message });
  };
  const submit = async () => {
    if (isSending.current || isSaved.current) return;
    isSending.current = true;
    setFailure(null);
    try {
      await form.handleSubmit(onValid, showInvalid)();
    } finally {
      isSending.current = false;
    }
  };
  return () => void submit();
}
