import { Button, Input, Spinner, Textarea } from '@chakra-ui/react';
import styles from './Contact.module.css';
import { contactMessages as messages } from './contact.messages';
import type { ContactValues } from './contactProblems';
import { useContactForm } from './useContactForm';

/** Ids and states of a field, tied to its error. Both error attributes, because readers differ in which they follow. */
function described(name: keyof ContactValues, problem: string | undefined) {
  return {
    id: `contact-${name}`,
    name,
    ...(problem && {
      'aria-invalid': true as const,
      'aria-describedby': `contact-${name}-problem`,
      'aria-errormessage': `contact-${name}-problem`,
    }),
  };
}

interface FieldProps {
  name: keyof ContactValues;
  problem: string | undefined;
  optional?: boolean;
  children: React.ReactNode;
}

function Field({ name, problem, optional, children }: FieldProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={`contact-${name}`}>
        {messages.fields[name]}
        {optional && <span> {messages.optional}</span>}
      </label>
      {children}
      {problem && (
        <p id={`contact-${name}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

/**
 * Works without scripts too: then the BFF answers the plain post with this page. Its markers are the exact empty
 * `<div id="contact-answer"></div>` and the names of the fields (`web/DECISIONS.md`); keep both as they are.
 */
export function ContactForm() {
  const { form, answer, problems, sending, initialMessage, warmUp, submit, check, mend } = useContactForm();
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      action="/contact"
      noValidate
      onSubmit={submit}
      onFocus={warmUp}
      onBlur={check}
      onInput={mend}
    >
      <div role="alert" className={styles.answer}>
        <div id="contact-answer" data-state={answer?.state}>
          {answer?.text}
        </div>
      </div>
      <div className={styles.pair}>
        <Field name="name" problem={problems.name}>
          <Input {...described('name', problems.name)} autoComplete="name" maxLength={100} required />
        </Field>
        <Field name="email" problem={problems.email}>
          <Input
            {...described('email', problems.email)}
            type="email"
            autoComplete="email"
            maxLength={254}
            spellCheck={false}
            autoCapitalize="none"
            required
          />
        </Field>
      </div>
      <Field name="contactInfo" problem={problems.contactInfo} optional>
        <Input {...described('contactInfo', problems.contactInfo)} autoComplete="tel" maxLength={255} />
      </Field>
      <Field name="message" problem={problems.message}>
        <Textarea
          {...described('message', problems.message)}
          defaultValue={initialMessage}
          placeholder={messages.hints.message}
          rows={7}
          maxLength={5000}
          required
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
          }}
        />
      </Field>
      <div className={styles.trap} aria-hidden="true">
        <label htmlFor="contact-website">{messages.fields.website}</label>
        <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <Button type="submit" size="lg" colorPalette="brand" aria-disabled={sending || undefined}>
        {sending && <Spinner aria-label={messages.sending} />}
        {messages.submit}
      </Button>
    </form>
  );
}
