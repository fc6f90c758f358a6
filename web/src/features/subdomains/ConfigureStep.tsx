import { Button } from '@chakra-ui/react';
import { Form, SubmitButton } from '../../ui/Form';
import { TextareaField, TextField } from '../../ui/fields';
import { currentHost } from '../../ui/host';
import type { FieldErrors } from '../../ui/useSubmit';
import type { SubdomainValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';
import { TargetFields } from './TargetFields';

const messages = subdomainsMessages.form;

interface ConfigureStepProps {
  values: SubdomainValues;
  change: (changes: Partial<SubdomainValues>) => void;
  /** Says where the values came from. */
  note: string | null;
  onBack: () => void;
  onSubmit: () => void;
  pending: boolean;
  errors: FieldErrors;
  failure: string | null;
}

/** Step 2: the subdomain itself. */
export function ConfigureStep({
  values,
  change,
  note,
  onBack,
  onSubmit,
  pending,
  errors,
  failure,
}: ConfigureStepProps) {
  return (
    <Form className={styles.form} onSubmit={onSubmit} errors={errors} failure={failure}>
      {note && <p className={styles.note}>{note}</p>}
      <div className={styles.pair}>
        <TextField
          label={messages.subdomain}
          value={values.subdomain}
          onChange={(subdomain) => change({ subdomain })}
          suffix={`.${currentHost()}`}
          error={errors.subdomain}
          maxLength={63}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextareaField
          label={messages.description}
          value={values.description}
          onChange={(description) => change({ description })}
          error={errors.description}
          maxLength={500}
          rows={1}
          required
        />
      </div>
      <TargetFields values={values} change={change} errors={errors} />
      <div className={styles.buttons}>
        <SubmitButton pending={pending}>{messages.submit}</SubmitButton>
        <Button variant="outline" onClick={onBack}>
          {messages.back}
        </Button>
      </div>
    </Form>
  );
}
