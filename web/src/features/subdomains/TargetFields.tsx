import { RadioField, TextField } from '../../ui/fields';
import type { FieldErrors } from '../../ui/useSubmit';
import type { TargetValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.form;
const PORT = { type: 'number', min: 1, max: 65535, inputMode: 'numeric' } as const;

interface TargetFieldsProps {
  values: TargetValues;
  change: (changes: Partial<TargetValues>) => void;
  errors: FieldErrors;
}

/** Where the address leads: its type, and the fields of that type (product-spec §3). */
export function TargetFields({ values, change, errors }: TargetFieldsProps) {
  const field = (name: Exclude<keyof TargetValues, 'type'>) => ({
    label: messages[name],
    value: values[name],
    error: errors[name],
    onChange: (text: string) => change({ [name]: text }),
  });
  return (
    <>
      <RadioField
        label={messages.type}
        value={values.type}
        options={messages.types}
        onChange={(type) => change({ type })}
      />
      <div className={styles.pair}>
        {values.type === 'proxy' && <TextField {...field('port')} {...PORT} hint={messages.portHint} required />}
        {values.type === 'static' && (
          <>
            <TextField {...field('staticPath')} placeholder={messages.staticPathPlaceholder} required />
            <TextField {...field('apiPort')} {...PORT} hint={messages.apiPortHint} optional />
          </>
        )}
        {values.type === 'tunnel' && (
          <>
            <TextField {...field('targetHost')} placeholder={messages.targetHostPlaceholder} required />
            <TextField {...field('targetPort')} {...PORT} required />
          </>
        )}
      </div>
    </>
  );
}
