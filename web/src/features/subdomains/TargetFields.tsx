import { CheckField } from '../../ui/form/checkFields';
import { FolderField } from '../../ui/form/FolderField';
import type { FormFields } from '../../ui/form/formFields';
import { RadioField } from '../../ui/form/RadioField';
import { CODE_INPUT, PORT_INPUT, TextField } from '../../ui/form/textFields';
import { servesVersions, type TargetValues, typedAddress } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.form;

interface TargetFieldsProps {
  form: FormFields<TargetValues>;
  /** Whether the subdomain is new, so that its files may come from a folder or from versions. */
  isNew?: boolean;
}

/** The type of a target, and the fields of that type (product §3). */
export function TargetFields({ form, isNew = false }: TargetFieldsProps) {
  const { type } = form.values;
  const needsFolder = !isNew || !servesVersions(form.values);
  const field = (name: Exclude<keyof TargetValues, 'type' | 'source' | 'spaFallback'>) => ({
    label: messages[name],
    ...form.text(name),
  });
  return (
    <>
      <RadioField label={messages.type} options={messages.types} {...form.radio('type')} />
      {isNew && type === 'static' && (
        <RadioField label={messages.source} options={messages.sources} {...form.radio('source')} />
      )}
      <div className={styles.pair}>
        {type === 'proxy' && <TextField {...field('port')} {...PORT_INPUT} hint={messages.portHint} required />}
        {type === 'static' && (
          <>
            {needsFolder ? (
              <FolderField
                {...form.choice('staticPath')}
                label={messages.staticPath}
                placeholder={messages.staticPathPlaceholder}
                required={!servesVersions(form.values)}
              />
            ) : (
              <p className={styles.note}>{messages.versionsHint}</p>
            )}
            <TextField {...field('apiPort')} {...PORT_INPUT} hint={messages.apiPortHint} optional />
          </>
        )}
        {type === 'tunnel' && (
          <>
            <TextField
              {...field('targetHost')}
              {...CODE_INPUT}
              placeholder={messages.targetHostPlaceholder}
              onBlur={({ target }) => {
                const address = typedAddress(target.value);
                if (address)
                  form.change({ targetHost: address.host, targetPort: form.values.targetPort || address.port });
              }}
              required
            />
            <TextField {...field('targetPort')} {...PORT_INPUT} required />
          </>
        )}
      </div>
      {type === 'static' && <CheckField label={messages.spaFallback} {...form.check('spaFallback')} />}
    </>
  );
}
