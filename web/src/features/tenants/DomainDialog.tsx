import type { WwwMode } from '../../generated/graph';
import { notify, notifyFailure } from '../../lib/notification';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { RadioField } from '../../ui/form/RadioField';
import { TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { CopyButton } from '../../ui/list/CopyButton';
import { DomainHosts } from './DomainHosts';
import { DomainProof } from './DomainProof';
import { domainName } from './domainName';
import { type TenantRowFragment, useSetTenantDomainMutation } from './generated/tenants';
import { tenantsMessages } from './tenants.messages';
import styles from './tenants.module.css';

const { domain: messages, failure, success } = tenantsMessages;
const MODES = (Object.keys(messages.wwwModes) as WwwMode[]).map((value) => ({
  value,
  label: messages.wwwModes[value],
}));

interface DomainDialogProps {
  tenant: TenantRowFragment;
  serverIps: readonly string[];
  onChanged: () => Promise<unknown>;
  /** Checks target and domain now. */
  onCheck: () => Promise<unknown>;
  onRemove: () => void;
  onClose: () => void;
}

/** Sets or changes a tenant's custom domain, and shows the status of the current one. */
export function DomainDialog({ tenant, serverIps, onChanged, onCheck, onRemove, onClose }: DomainDialogProps) {
  const [save] = useSetTenantDomainMutation({ fetchPolicy: 'no-cache' });
  const form = useForm({
    draft: `tenants:dominio:${tenant._id}`,
    initial: { domain: tenant.customDomain ?? '', www: tenant.wwwMode },
    check: ({ domain }): FieldErrors => (domainName(domain) ? {} : { domain: messages.empty }),
    fallback: failure.domain,
    prefer: 'details',
    onFailure: notifyFailure,
    onRefused: () => notifyFailure({ sentence: messages.empty }),
    send: async ({ domain, www }) => {
      await save({ variables: { id: tenant._id, domain: domainName(domain), www } });
      await onChanged();
    },
    onSaved: () => {
      onClose();
      notify(success.domain);
    },
  });
  const setDomain = (text: string) => form.change({ domain: domainName(text) });
  const { failure: refusal } = form;

  return (
    <FormDialog title={messages.title} width={500} submitLabel={messages.save} form={form} onClose={onClose}>
      <DomainProof refusal={refusal ? `${refusal.sentence} ${refusal.note ?? ''}` : ''} />
      <TextField
        label={messages.label}
        {...form.text('domain')}
        placeholder={messages.placeholder}
        hint={
          <>
            {messages.hint(serverIps.join(', ') || null)}
            {serverIps.map((ip) => (
              <CopyButton
                key={ip}
                text={ip}
                label={serverIps.length === 1 ? messages.copyIp : `${messages.copyIp} ${ip}`}
              />
            ))}
          </>
        }
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text');
          if (!pasted.includes('/')) return;
          event.preventDefault();
          setDomain(pasted);
        }}
        onBlur={({ target }) => {
          if (domainName(target.value) !== target.value) setDomain(target.value);
        }}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
      />
      <RadioField
        label={messages.www}
        value={form.values.www}
        options={MODES}
        onChange={(www) => form.change({ www })}
      />
      {tenant.domainStatus && <DomainHosts hosts={tenant.domainStatus} onCheck={onCheck} />}
      {tenant.customDomain && (
        <button type="button" className={styles.domainRemoval} onClick={onRemove}>
          {messages.remove}
        </button>
      )}
    </FormDialog>
  );
}
