import { valibotResolver } from '@hookform/resolvers/valibot';
import { type FormEvent, useState } from 'react';
import { type FieldErrors, type UseFormSetError, useForm } from 'react-hook-form';
import { loadClient } from '../../lib/graphql/client/lazyClient';
import { notify } from '../../lib/notifications/notification';
import { getErrorFields, toUserError } from '../../lib/userError';
import { useStoredDraft } from '../../ui/form/state/useStoredDraft';
import { contactMessages } from './contact.messages';
import { type ContactValues, contactSchema } from './contactSchema';
import { SendContactMessageDocument } from './generated/contact';

const { problems, sent } = contactMessages;

interface ContactOutcome {
  state: 'success' | 'error';
  text: string;
}

const EMPTY: ContactValues = { name: '', email: '', contactInfo: '', message: '', website: '' };
const isField = (name: string): name is keyof ContactValues => Object.hasOwn(EMPTY, name);

/** The outcome that the BFF wrote into the page after a plain post (decision 113). */
function readServerOutcome(): ContactOutcome | null {
  const element = globalThis.document?.getElementById('contact-answer');
  const state = element?.dataset.state;
  return state === 'success' || state === 'error' ? { state, text: element?.textContent ?? '' } : null;
}

/** Reads a message typed before hydration, or restored by the BFF after a refused post. Hydration would remove it. */
const readExistingMessage = (): string =>
  globalThis.document?.querySelector<HTMLTextAreaElement>('textarea[name="message"]')?.value ?? '';

/** Marks refused fields in reverse: the last `setError` gets focus. @returns null if a field shows the whole text */
function showRefusal(error: unknown, setError: UseFormSetError<ContactValues>): ContactOutcome | null {
  const text = toUserError(error, problems.failed).message;
  const fields = getErrorFields(error);
  for (const [name, message] of Object.entries(fields).reverse())
    if (isField(name)) setError(name, { message }, { shouldFocus: true });
  return Object.values(fields).includes(text) ? null : { state: 'error', text };
}

/** The state of the contact form. Default values would replace text typed before hydration, so the form has none. */
export function useContactForm() {
  const form = useForm<ContactValues>({
    resolver: valibotResolver(contactSchema, undefined, { raw: true }),
    reValidateMode: 'onSubmit',
  });
  const { register, handleSubmit, trigger, setError, getFieldState, formState } = form;
  const [initialMessage] = useState(readExistingMessage);
  const [outcome, setOutcome] = useState(readServerOutcome);
  /** Keeps texts that were typed before hydration or restored by the BFF, because they are newer than the draft. */
  const fillEmptyFields = (values: Partial<ContactValues>) => {
    for (const [name, value] of Object.entries(values))
      if (isField(name) && !form.getValues(name)) form.setValue(name, value);
  };
  const { reset, restored } = useStoredDraft(form, fillEmptyFields, { draft: 'contact', initial: EMPTY });

  async function send({ website, ...input }: ContactValues): Promise<void> {
    setOutcome(null);
    try {
      const client = await loadClient();
      const variables = { input, website };
      await client.mutate({ mutation: SendContactMessageDocument, variables, fetchPolicy: 'no-cache' });
      reset(EMPTY);
      setOutcome({ state: 'success', text: sent });
      notify(sent);
    } catch (error) {
      setOutcome(showRefusal(error, setError));
    }
  }
  /** An invalid e-mail address is reported only at its field (decision 129). */
  function showErrors(fieldErrors: FieldErrors<ContactValues>): void {
    const isIncomplete = Object.values(fieldErrors).some(({ message }) => message !== problems.emailInvalid);
    setOutcome(isIncomplete ? { state: 'error', text: problems.incomplete } : null);
  }
  /** Ignores a second tap, which would send twice or report the emptied form of a sent message as incomplete. */
  function submit(event: FormEvent): void {
    event.preventDefault();
    const isEmptied = outcome?.state === 'success' && !Object.values(form.getValues()).some(Boolean);
    if (!formState.isSubmitting && !isEmptied) void handleSubmit(send, showErrors)(event);
  }

  return {
    outcome,
    initialMessage,
    restored,
    isSending: formState.isSubmitting,
    getError: (name: keyof ContactValues) => formState.errors[name]?.message,
    /** Registers a field. An invalid text is reported on blur, an empty field only after a submit. */
    registerField: (name: keyof ContactValues) =>
      register(name, {
        onBlur: ({ target }: { target: HTMLInputElement }) => {
          if (target.value !== '') void trigger(name);
        },
        onChange: () => {
          if (getFieldState(name).invalid) void trigger(name);
        },
      }),
    /** Fetches the GraphQL client while the visitor types. A failure is ignored, because `send` loads it again. */
    preloadClient: () => void loadClient().catch(() => undefined),
    submit,
  };
}
