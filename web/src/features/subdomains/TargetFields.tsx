import { RadioField } from '../../ui/form/RadioField';
import { PORT_INPUT, TextField } from '../../ui/form/textFields';
import type { FormFields } from '../../ui/form/useForm';
import type { TargetValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.form;

/** Where the address leads: its type, and the fields of that type (product §3). */
export function TargetFields({ form }: { form: FormFields<TargetValues> }) {
  const { type } = form.values;
  const field = (name: Exclude<keyof TargetValues, 'type'>) => ({ label: messages[name], ...form.text(name) });
  return (
    <>
      <RadioField
        label={messages.type}
        value={type}
        options={messages.types}
        onChange={(next) => form.change({ type: next })}
      />
      <div className={styles.pair}>
        {type === 'proxy' && <TextField {...field('port')} {...PORT_INPUT} hint={messages.portHint} required />}
        {type === 'static' && (
          <>
            <TextField {...field('staticPath')} placeholder={messages.staticPathPlaceholder} required />
            <TextField {...field('apiPort')} {...PORT_INPUT} hint={messages.apiPortHint} optional />
          </>
        )}
        {type === 'tunnel' && (
          <>
            <TextField {...field('targetHost')} placeholder={messages.targetHostPlaceholder} required />
            <TextField {...field('targetPort')} {...PORT_INPUT} required />
          </>
        )}
      </div>
    </>
  );
}
