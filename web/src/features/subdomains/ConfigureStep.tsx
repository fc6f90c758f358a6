import { currentHost } from '../../lib/host';
import { Button } from '../../ui/form/Button';
import { Form, type FormProps, SubmitButton } from '../../ui/form/Form';
import { TextareaField, TextField } from '../../ui/form/textFields';
import type { FormFields } from '../../ui/form/useForm';
import { ConnectionTest } from './ConnectionTest';
import type { SubdomainValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';
import { TargetFields } from './TargetFields';

const messages = subdomainsMessages.form;

interface ConfigureStepProps {
  form: FormFields<SubdomainValues> &
    Pick<FormProps, 'failure' | 'restored'> & { submit: () => void; pending: boolean };
  /** Says where the values came from. */
  note: string | null;
  onBack: () => void;
}

/** Step 2: the subdomain itself. */
export function ConfigureStep({ form, note, onBack }: ConfigureStepProps) {
  return (
    <Form
      className={styles.configure}
      onSubmit={form.submit}
      errors={form.errors}
      failure={form.failure}
      restored={form.restored}
    >
      {note && <p className={styles.note}>{note}</p>}
      <div className={styles.pair}>
        <TextField
          label={messages.subdomain}
          {...form.text('subdomain')}
          suffix={`.${currentHost()}`}
          maxLength={63}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextareaField label={messages.description} {...form.text('description')} maxLength={500} rows={1} required />
      </div>
      <TargetFields form={form} />
      <ConnectionTest values={form.values} />
      <div className={styles.buttons}>
        <SubmitButton pending={form.pending}>{messages.submit}</SubmitButton>
        <Button variant="outline" onClick={onBack}>
          {messages.back}
        </Button>
      </div>
    </Form>
  );
}
