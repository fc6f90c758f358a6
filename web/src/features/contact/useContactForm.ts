import { type FocusEvent, type FormEvent, useRef, useState } from 'react';
import { useClientLoader } from '../../lib/clientLoader';
import { failureFields, failureOf } from '../../lib/failure';
import { notify } from '../../lib/notification';
import { contactMessages } from './contact.messages';
import { type ContactProblems, type ContactValues, contactProblems, problemSummary } from './contactProblems';
import { SendContactMessageDocument } from './generated/contact';

interface ContactAnswer {
  state: 'success' | 'error';
  text: string;
}

const FIELDS = ['name', 'email', 'contactInfo', 'message'] as const;
const isField = (name: string): name is keyof ContactValues => FIELDS.some((field) => field === name);

/** The answer that the BFF wrote into the page after a plain post (`web/DECISIONS.md`). */
function writtenAnswer(): ContactAnswer | null {
  if (typeof document === 'undefined') return null;
  const place = document.getElementById('contact-answer');
  const state = place?.dataset.state;
  if (state !== 'success' && state !== 'error') return null;
  return { state, text: place?.textContent ?? '' };
}

/** What the textarea already holds: kept by the BFF, or typed before React arrived. React would empty it otherwise. */
const writtenMessage = (): string =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLTextAreaElement>('textarea[name="message"]')?.value ?? '');

function read(form: HTMLFormElement) {
  const data = new FormData(form);
  const field = (name: string) => String(data.get(name) ?? '');
  const values: ContactValues = {
    name: field('name'),
    email: field('email'),
    contactInfo: field('contactInfo'),
    message: field('message'),
  };
  return { values, website: field('website') };
}

/** The contact form's state: inputs stay uncontrolled, so that nothing typed before or without React is lost. */
export function useContactForm() {
  const loadClient = useClientLoader();
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [initialMessage] = useState(writtenMessage);
  const [answer, setAnswer] = useState(writtenAnswer);
  const [problems, setProblems] = useState<ContactProblems>({});
  const [sending, setSending] = useState(false);

  const refuse = (text: string, fields: ContactProblems) => {
    setAnswer({ state: 'error', text });
    setProblems(fields);
    const first = FIELDS.find((name) => fields[name]);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  async function send({ values, website }: ReturnType<typeof read>): Promise<void> {
    const client = await loadClient();
    await client.mutate({
      mutation: SendContactMessageDocument,
      variables: { input: values, website },
      fetchPolicy: 'no-cache',
    });
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending.current) return;
    const typed = read(event.currentTarget);
    const summary = problemSummary(typed.values);
    if (summary) {
      refuse(summary, contactProblems(typed.values));
      return;
    }
    isSending.current = true;
    setSending(true);
    setAnswer(null);
    setProblems({});
    try {
      await send(typed);
      form.current?.reset();
      setAnswer({ state: 'success', text: contactMessages.sent });
      notify(contactMessages.sent);
    } catch (error) {
      refuse(failureOf(error, contactMessages.problems.failed).sentence, failureFields(error));
    } finally {
      isSending.current = false;
      setSending(false);
    }
  }

  /** On blur: a field that holds something wrong says so; an empty one waits for the send. */
  function checkField(event: FocusEvent<HTMLFormElement>): void {
    const { name, value } = event.target;
    if (!isField(name) || !value) return;
    const problem = contactProblems(read(event.currentTarget).values)[name];
    setProblems((known) => ({ ...known, [name]: problem }));
  }

  /** On input: the error of a field that is right now goes at once. */
  function clearErrors(event: FormEvent<HTMLFormElement>): void {
    const left = contactProblems(read(event.currentTarget).values);
    setProblems((known) =>
      Object.fromEntries(Object.entries(known).filter(([name]) => isField(name) && left[name] !== undefined)),
    );
  }

  return {
    form,
    answer,
    problems,
    sending,
    initialMessage,
    /** Fetches the GraphQL client while the visitor types. */
    preloadClient: () => void loadClient().catch(() => undefined),
    submit,
    checkField,
    clearErrors,
  };
}
