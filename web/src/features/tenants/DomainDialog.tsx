import { CopyButton } from '../../ui/CopyButton';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/fields';
import { notify } from '../../ui/notification';
import { useDraft } from '../../ui/useDraft';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { type TenantRowFragment, useSetTenantDomainMutation } from './generated/tenants';
import { tenantsMessages } from './tenants.messages';
import styles from './tenants.module.css';

const { domain: messages, failure, success } = tenantsMessages;

interface DomainDialogProps {
  /** Undefined when the address names a tenant that is gone: then nothing is sent. */
  tenant: TenantRowFragment | undefined;
  serverIp: string | null;
  onChanged: () => Promise<unknown>;
  onRemove: () => void;
  onClose: () => void;
}

/** Gives a tenant a domain of its own, or changes it. */
export function DomainDialog({ tenant, serverIp, onChanged, onRemove, onClose }: DomainDialogProps) {
  const { values, change, settle } = useDraft(`tenants:dominio:${tenant?._id}`, { domain: tenant?.customDomain ?? '' });
  const [save] = useSetTenantDomainMutation({ fetchPolicy: 'no-cache' });

  const form = useSubmit({
    fallback: failure.domain,
    prefer: 'details',
    check: (): FieldErrors => (tenant && values.domain.trim() ? {} : { domain: messages.empty }),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      await save({ variables: { id: tenant?._id ?? '', domain: values.domain.trim() } });
      await onChanged();
      settle();
      onClose();
      notify(success.domain);
    },
  });

  return (
    <FormDialog
      title={messages.title}
      width={500}
      submitLabel={messages.save}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      <TextField
        label={messages.label}
        value={values.domain}
        onChange={(domain) => change({ domain })}
        error={form.errors.domain}
        placeholder={messages.placeholder}
        hint={
          <span className={styles.hint}>
            {messages.hint(serverIp)}
            {serverIp && <CopyButton text={serverIp} label={messages.copyIp} />}
          </span>
        }
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
      />
      {tenant?.customDomain && (
        <button type="button" className={styles.domainRemoval} onClick={onRemove}>
          {messages.remove}
        </button>
      )}
    </FormDialog>
  );
}
