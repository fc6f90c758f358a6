import { paths } from '../../app/paths';
import { Button, Spinner } from '../../ui/form/Button';
import { Field } from '../../ui/form/Field';
import styles from './Contact.module.css';
import { contactMessages as messages } from './contact.messages';
import { useContactForm } from './useContactForm';

const { fields } = messages;

/**
 * Works without scripts too: then the BFF answers the plain post with this page. Its markers are the exact empty
 * `<div id="contact-answer"></div>` and the names of the fields (`web/DECISIONS.md`); keep both as they are.
 */
export function ContactForm() {
  const { form, answer, problems, sending, initialMessage, preloadClient, submit, checkField, clearErrors } =
    useContactForm();
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      action={paths.contact}
      noValidate
      onSubmit={submit}
      onFocus={preloadClient}
      onBlur={checkField}
      onInput={clearErrors}
    >
      <div role="alert" className={styles.answer}>
        <div id="contact-answer" data-state={answer?.state}>
          {answer?.text}
        </div>
      </div>
      <div className={styles.pair}>
        <Field label={fields.name} error={problems.name} required>
          {(control) => <input className="ui-input" {...control} name="name" autoComplete="name" maxLength={100} />}
        </Field>
        <Field label={fields.email} error={problems.email} required>
          {(control) => (
            <input
              className="ui-input"
              {...control}
              name="email"
              type="email"
              autoComplete="email"
              maxLength={254}
              spellCheck={false}
              autoCapitalize="none"
            />
          )}
        </Field>
      </div>
      <Field label={fields.contactInfo} error={problems.contactInfo} optional>
        {(control) => <input className="ui-input" {...control} name="contactInfo" autoComplete="tel" maxLength={255} />}
      </Field>
      <Field label={fields.message} error={problems.message} required>
        {(control) => (
          <textarea
            className="ui-textarea"
            {...control}
            name="message"
            defaultValue={initialMessage}
            placeholder={messages.hints.message}
            rows={7}
            maxLength={5000}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
            }}
          />
        )}
      </Field>
      <div className={styles.trap} aria-hidden="true">
        <label htmlFor="contact-website">{fields.website}</label>
        <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <Button type="submit" size="lg" aria-disabled={sending || undefined}>
        {sending && <Spinner aria-label={messages.sending} />}
        {messages.submit}
      </Button>
    </form>
  );
}
