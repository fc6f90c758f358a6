import { CheckField } from '../../ui/form/checkFields';
import { FolderField } from '../../ui/form/FolderField';
import type { FormFields } from '../../ui/form/formFields';
import { RadioField } from '../../ui/form/RadioField';
import { PORT_INPUT, TextField } from '../../ui/form/textFields';
import { useCreateSubdomainFolderMutation, useSubdomainFoldersQuery } from './generated/subdomains';
import type { TargetValues } from './subdomainForm';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';

const messages = subdomainsMessages.form;

function StaticPathField({ form }: { form: FormFields<TargetValues> }) {
  const { data } = useSubdomainFoldersQuery();
  const [create] = useCreateSubdomainFolderMutation();
  return (
    <FolderField
      label={messages.staticPath}
      value={form.values.staticPath}
      error={form.errors.staticPath}
      onValueChange={(staticPath) => form.change({ staticPath })}
      folders={data?.staticFolders}
      onCreate={(path) => create({ variables: { path } })}
      placeholder={messages.staticPathPlaceholder}
      required
    />
  );
}

/** Where the address leads: its type, and the fields of that type (product §3). */
export function TargetFields({ form }: { form: FormFields<TargetValues> }) {
  const { type } = form.values;
  const field = (name: Exclude<keyof TargetValues, 'type' | 'spaFallback'>) => ({
    label: messages[name],
    ...form.text(name),
  });
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
            <StaticPathField form={form} />
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
      {type === 'static' && (
        <CheckField
          label={messages.spaFallback}
          checked={form.values.spaFallback}
          onChange={(spaFallback) => form.change({ spaFallback })}
        />
      )}
    </>
  );
}
