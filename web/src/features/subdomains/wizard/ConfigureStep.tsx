import { Button } from '@chakra-ui/react';
import { Form, type FormState, SubmitButton } from '../../../ui/form/Form';
import { SubdomainField } from '../../../ui/form/fields/SubdomainField';
import { TextareaField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import type { SubdomainValues } from '../subdomainForm';
import { subdomainsMessages } from '../subdomains.messages';
import styles from '../subdomains.module.css';
import { ConnectionTest } from '../target/ConnectionTest';
import { TargetFields } from '../target/TargetFields';

const messages = subdomainsMessages.form;

interface ConfigureStepProps {
  form: FormFields<SubdomainValues> & FormState;
  /** Says which source suggested the values. */
  note: string | null;
  onClose: () => void;
}

/** Step 2 of the wizard: the fields of the subdomain. */
export default function ConfigureStep({ form, note, onClose }: ConfigureStepProps) {
  return (
    <Form className={styles.configure} form={form}>
      {note && <p className={styles.note}>{note}</p>}
      <div className={styles.pair}>
        <SubdomainField {...form.text('subdomain', messages)} onLabel={(subdomain) => form.change({ subdomain })} />
        <TextareaField {...form.text('description', messages)} rows={1} required />
      </div>
      <TargetFields form={form} isNew />
      <ConnectionTest values={form.values} onFieldErrors={form.setErrors} />
      <div className={styles.buttons}>
        <SubmitButton pending={form.pending}>{messages.submit}</SubmitButton>
        <Button variant="outline" onClick={onClose}>
          {messages.back}
        </Button>
      </div>
    </Form>
  );
}
