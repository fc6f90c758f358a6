import { Button, Input, Spinner, Textarea } from '@chakra-ui/react';
import { paths } from '../../lib/routing/paths';
import { Field } from '../../ui/form/fields/Field';
import { RestoredDraft } from '../../ui/form/RestoredDraft';
import styles from './Contact.module.css';
import { contactMessages as messages } from './contact.messages';
import { useContactForm } from './useContactForm';

const { fields } = messages;

/**
 * The contact form, which also works without scripts: the BFF answers a plain post with this page. The BFF searches the
 * page for the exact text `<div id="contact-answer"></div>` and for the names of the fields (decision 113).
 */
export function ContactForm() {
  const { outcome, initialMessage, restored, isSending, getError, registerField, preloadClient, submit } =
    useContactForm();
  return (
    <form
      className={styles.form}
      method="post"
      action={paths.contact}
      noValidate
      onSubmit={submit}
      onFocus={preloadClient}
    >
      <div role="alert" className={styles.answer}>
        <div id="contact-answer" data-state={outcome?.state}>
          {outcome?.text}
        </div>
      </div>
      {restored && <RestoredDraft {...restored} />}
      <div className={styles.pair}>
        <Field label={fields.name} error={getError('name')} required>
          {(control) => <Input {...control} {...registerField('name')} autoComplete="name" />}
        </Field>
        <Field label={fields.email} error={getError('email')} required>
          {(control) => (
            <Input {...control} {...registerField('email')} type="email" autoComplete="email" spellCheck={false} />
          )}
        </Field>
      </div>
      <Field label={fields.contactInfo} error={getError('contactInfo')} optional>
        {(control) => <Input {...control} {...registerField('contactInfo')} autoComplete="tel" />}
      </Field>
      <Field label={fields.message} error={getError('message')} required>
        {(control) => (
          <Textarea
            {...control}
            {...registerField('message')}
            defaultValue={initialMessage}
            placeholder={messages.hints.message}
            rows={7}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
      <div className={styles.trap} aria-hidden="true">
        <label htmlFor="contact-website">{fields.website}</label>
        <input id="contact-website" {...registerField('website')} tabIndex={-1} autoComplete="off" />
      </div>
      <Button type="submit" size="lg" aria-disabled={isSending || undefined}>
        {isSending && <Spinner aria-label={messages.sending} />}
        {messages.submit}
      </Button>
    </form>
  );
}
