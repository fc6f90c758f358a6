import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { currentHost, siteHost } from '../../lib/host';
import { notifyFailure } from '../../lib/notification';
import { notifySaved } from '../../lib/notifySaved';
import { markRecentlyCreated } from '../../lib/recentlyCreated';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { CheckField } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import {
  type TenantRowFragment,
  type TenantsQuery,
  useCreateTenantMutation,
  useUpdateTenantMutation,
} from './generated/tenants';
import {
  checkTenant,
  generatedDatabaseName,
  type ProjectOption,
  tenantChanges,
  tenantInput,
  tenantValues,
  withName,
} from './tenantForm';
import { tenantsMessages } from './tenants.messages';
import styles from './tenants.module.css';

const { dialog: messages, failure, success } = tenantsMessages;

const NAMES = {
  project: messages.project,
  name: messages.name,
  responsibleName: messages.responsibleName,
  responsibleContact: messages.responsibleContact,
  healthCheck: messages.healthCheck,
  paused: messages.paused,
};

interface TenantDialogProps {
  /** The tenant to edit; absent: a new one. */
  tenant?: TenantRowFragment;
  /** Undefined while they load. */
  projects: readonly ProjectOption[] | undefined;
  /** For a new tenant: whether they could be loaded. */
  loadingProjects?: ComponentProps<typeof LoadFailed>;
  /** Refetches the list. */
  onChanged: () => Promise<TenantsQuery | undefined>;
  onClose: () => void;
}

/** Creates a tenant, or edits the given one. Project and subdomain cannot be edited here: see `MoveTenantDialog`. */
export function TenantDialog({ tenant, projects, loadingProjects, onChanged, onClose }: TenantDialogProps) {
  const [create] = useCreateTenantMutation({ fetchPolicy: 'no-cache' });
  const [update] = useUpdateTenantMutation({ fetchPolicy: 'no-cache' });
  const projectOf = (id: string) => projects?.find(({ _id }) => _id === id);
  const form = useForm({
    draft: `tenants:${tenant?._id ?? 'novo'}`,
    initial: tenantValues(tenant),
    check: checkTenant,
    edited: tenant && {
      version: tenant.version,
      read: async () => {
        const row = (await onChanged())?.tenants.find(({ _id }) => _id === tenant._id);
        return row && { version: row.version, values: tenantValues(row) };
      },
      names: NAMES,
      show: (field, value) => (field === 'project' ? projectOf(String(value))?.name : undefined),
    },
    fallback: failure.save,
    onFailure: notifyFailure,
    send: async (values, version) => {
      const saved = tenant
        ? (await update({ variables: { id: tenant._id, input: tenantChanges(values), version } })).data?.updateTenant
        : (await create({ variables: { input: tenantInput(values, projectOf(values.project)) } })).data?.createTenant;
      if (!tenant) markRecentlyCreated(saved?._id);
      await onChanged();
      return saved;
    },
    onSaved: (saved) => {
      onClose();
      notifySaved(success.saved, siteHost(saved?.subdomain ?? ''), saved?.live ?? null);
    },
  });
  const { values, errors, change } = form;
  const project = projectOf(values.project);

  return (
    <FormDialog
      title={tenant ? messages.edit : messages.create}
      width={600}
      submitLabel={messages.save}
      form={form}
      onClose={onClose}
    >
      {loadingProjects && <LoadFailed {...loadingProjects} />}
      {tenant ? (
        <TextField
          label={messages.project}
          value={tenant.project.name}
          hint={
            <>
              {messages.projectHint}{' '}
              <Link to={withParams(paths.projects, { editar: tenant.project._id })}>{messages.openProject}</Link>
            </>
          }
          readOnly
        />
      ) : (
        <SelectField
          label={messages.project}
          {...form.text('project')}
          options={(projects ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          placeholder={messages.projectPlaceholder}
          hint={projects?.length === 0 ? messages.noProjects : undefined}
          required
        />
      )}
      <TextField
        label={messages.name}
        {...form.text('name')}
        onChange={(name) => change(tenant ? { name } : withName(values, name))}
        maxLength={100}
        required
      />
      <TextField
        label={messages.subdomain}
        {...form.text('subdomain')}
        suffix={`.${currentHost()}`}
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
            disabled={!project?.dbPrefix}
            onChange={(usePrefix) => change({ usePrefix })}
          />
          <TextField
            label={messages.dbName}
            value={generatedDatabaseName(values, project)}
            error={errors.dbName}
            hint={messages.dbNameHint}
            readOnly
          />
        </>
      )}
      <fieldset className={styles.section}>
        <legend>{messages.responsible}</legend>
        <TextField label={messages.responsibleName} {...form.text('responsibleName')} maxLength={100} />
        <TextField
          label={messages.responsibleContact}
          {...form.text('responsibleContact')}
          hint={messages.responsibleContactHint}
          maxLength={100}
        />
      </fieldset>
      {tenant && (
        <>
          <CheckField
            label={messages.healthCheck}
            checked={values.healthCheck}
            onChange={(healthCheck) => change({ healthCheck })}
          />
          <CheckField label={messages.paused} checked={values.paused} onChange={(paused) => change({ paused })} />
        </>
      )}
    </FormDialog>
  );
}
