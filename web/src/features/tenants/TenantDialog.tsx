import { announceArrival } from '../../ui/arrivals';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, SelectField, TextField } from '../../ui/fields';
import { currentHost } from '../../ui/host';
import { notify } from '../../ui/notification';
import { useDraft } from '../../ui/useDraft';
import { useSubmit } from '../../ui/useSubmit';
import { type TenantRowFragment, useCreateTenantMutation, useUpdateTenantMutation } from './generated/tenants';
import { checkTenant, generatedName, type ProjectOption, tenantChanges, tenantInput, tenantValues } from './tenantForm';
import { tenantsMessages } from './tenants.messages';
import styles from './tenants.module.css';

const { dialog: messages, failure, success } = tenantsMessages;

interface TenantDialogProps {
  /** The tenant to edit; absent: a new one. */
  tenant?: TenantRowFragment;
  projects: readonly ProjectOption[];
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** Creates a tenant, or edits the given one: its project and subdomain stay what they are. */
export function TenantDialog({ tenant, projects, onChanged, onClose }: TenantDialogProps) {
  const { values, change, settle } = useDraft(`tenants:${tenant?._id ?? 'novo'}`, tenantValues(tenant));
  const [create] = useCreateTenantMutation({ fetchPolicy: 'no-cache' });
  const [update] = useUpdateTenantMutation({ fetchPolicy: 'no-cache' });
  const project = projects.find(({ _id }) => _id === values.project);
  const hasPrefix = Boolean(project?.dbPrefix);

  const form = useSubmit({
    fallback: failure.save,
    check: () => checkTenant(values),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      if (tenant) await update({ variables: { id: tenant._id, input: tenantChanges(values) } });
      else
        announceArrival((await create({ variables: { input: tenantInput(values, project) } })).data?.createTenant._id);
      await onChanged();
      settle();
      onClose();
      notify(success.saved);
    },
  });
  const { errors } = form;

  return (
    <FormDialog
      title={tenant ? messages.edit : messages.create}
      width={600}
      submitLabel={messages.save}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      {tenant ? (
        <TextField label={messages.project} value={tenant.project.name} readOnly />
      ) : (
        <SelectField
          label={messages.project}
          value={values.project}
          onChange={(id) => change({ project: id })}
          options={projects.map(({ _id, name }) => ({ value: _id, label: name }))}
          placeholder={messages.projectPlaceholder}
          hint={projects.length === 0 ? messages.noProjects : undefined}
          error={errors.project}
          required
        />
      )}
      <TextField
        label={messages.name}
        value={values.name}
        onChange={(name) => change({ name })}
        error={errors.name}
        maxLength={100}
        required
      />
      <TextField
        label={messages.subdomain}
        value={values.subdomain}
        onChange={(subdomain) => change({ subdomain })}
        suffix={`.${currentHost()}`}
        error={errors.subdomain}
        readOnly={Boolean(tenant)}
        maxLength={63}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      {!tenant && (
        <>
          <CheckField
            label={messages.usePrefix}
            checked={values.usePrefix}
            disabled={!hasPrefix}
            onChange={(usePrefix) => change({ usePrefix })}
          />
          <TextField
            label={messages.dbName}
            value={generatedName(values, project)}
            error={errors.dbName}
            hint={messages.dbNameHint}
            readOnly
          />
        </>
      )}
      <fieldset className={styles.section}>
        <legend>{messages.responsible}</legend>
        <TextField
          label={messages.responsibleName}
          value={values.responsibleName}
          onChange={(responsibleName) => change({ responsibleName })}
          error={errors.responsibleName}
          maxLength={100}
        />
        <TextField
          label={messages.responsibleContact}
          value={values.responsibleContact}
          onChange={(responsibleContact) => change({ responsibleContact })}
          error={errors.responsibleContact}
          hint={messages.responsibleContactHint}
          maxLength={100}
        />
      </fieldset>
    </FormDialog>
  );
}
