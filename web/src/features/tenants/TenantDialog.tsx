import { Button, chakra } from '@chakra-ui/react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { readFresh } from '../../lib/graphql/client';
import { useQueryState } from '../../lib/graphql/useQueryState';
import { siteHost } from '../../lib/hosts/host';
import { notifyError } from '../../lib/notifications/notification';
import { notifySaved } from '../../lib/notifications/notifySaved';
import { markRecentlyCreated } from '../../lib/notifications/recentlyCreated';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { CheckField } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { SubdomainField } from '../../ui/form/SubdomainField';
import { TextField } from '../../ui/form/textFields';
import { useDraftForm } from '../../ui/form/useDraftForm';
import {
  TenantDocument,
  type TenantRowFragment,
  useCheckTenantMutation,
  useCreateTenantMutation,
  useTenantOptionsQuery,
  useUpdateTenantMutation,
} from './generated/tenants';
import {
  changeName,
  chosenDatabaseName,
  databaseNames,
  tenantChanges,
  tenantInput,
  tenantSchema,
  tenantValues,
} from './tenantForm';
import { tenantsMessages } from './tenants.messages';

const { dialog: messages, failure, success } = tenantsMessages;

interface TenantDialogProps {
  /** The tenant to edit. If it is undefined, a tenant is created. */
  tenant?: TenantRowFragment;
  /** The initially chosen project of a new tenant. */
  projectId?: string;
  /** Refetches the list. */
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** Creates a tenant, or edits the given one. Project and subdomain cannot be edited here: see `MoveTenantDialog`. */
export function TenantDialog({ tenant, projectId, onChanged, onClose }: TenantDialogProps) {
  const { data: options, state } = useQueryState(useTenantOptionsQuery(), { fallback: failure.load });
  const [create] = useCreateTenantMutation({ fetchPolicy: 'no-cache' });
  const [update] = useUpdateTenantMutation({ fetchPolicy: 'no-cache' });
  const [check] = useCheckTenantMutation({ fetchPolicy: 'no-cache' });
  const projectOf = (id: string) => options?.projects.find(({ _id }) => _id === id);
  const form = useDraftForm({
    draft: `tenants:${tenant?._id ?? 'novo'}`,
    initial: tenantValues(tenant, projectId),
    schema: tenantSchema,
    edited: tenant && {
      row: tenant,
      read: async () => (await readFresh(TenantDocument, { id: tenant._id }))?.tenant,
      valuesOf: (row) => tenantValues(row),
      names: messages,
      format: (field, value) => (field === 'project' ? projectOf(String(value))?.name : undefined),
    },
    fallback: failure.save,
    onFailure: notifyError,
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
      if (saved) {
        void notifySaved(
          success.saved,
          siteHost(saved.subdomain),
          saved.live ?? null,
          async () => (await check({ variables: { id: saved._id } })).data?.checkTenant,
        );
      }
    },
  });
  const { values, errors, change } = form;
  const project = projectOf(values.project);
  const { proposal } = databaseNames(values, project);

  return (
    <FormDialog title={tenant ? messages.edit : messages.create} width={600} form={form} onClose={onClose}>
      {!tenant && <LoadFailed {...state} />}
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
          {...form.choice('project')}
          options={(options?.projects ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          placeholder={messages.projectPlaceholder}
          hint={
            options?.projects.length === 0 && (
              <>
                {messages.noProjects}{' '}
                <Link to={withParams(paths.projects, { novo: '1' })}>{messages.createProject}</Link>
              </>
            )
          }
          required
        />
      )}
      <TextField
        label={messages.name}
        {...form.text('name')}
        onChange={({ target: { value: name } }) => change(tenant ? { name } : changeName(values, name))}
        maxLength={100}
        required
      />
      <SubdomainField
        label={messages.subdomain}
        {...form.text('subdomain')}
        onLabel={(subdomain) => change({ subdomain })}
        readOnly={Boolean(tenant)}
      />
      {!tenant && (
        <>
          <CheckField label={messages.usePrefix} {...form.check('usePrefix')} disabled={!project?.dbPrefix} />
          <TextField
            label={messages.dbName}
            value={chosenDatabaseName(values, project)}
            error={errors.dbName}
            hint={
              <>
                {messages.dbNameHint} {messages.dbNameUse}
                {proposal !== null && !values.isPlainName && (
                  <chakra.span display="block" color="orange.fg">
                    {messages.dbNameQuoted}
                  </chakra.span>
                )}
              </>
            }
            readOnly
          />
          {proposal !== null && (
            <Button
              justifySelf="start"
              maxW="100%"
              overflowWrap="anywhere"
              variant="outline"
              size="sm"
              // The second click of a double click would undo the choice.
              onClick={({ detail }) => detail < 2 && change({ isPlainName: !values.isPlainName })}
            >
              {values.isPlainName ? messages.takeGeneratedName : messages.takePlainName(proposal)}
            </Button>
          )}
        </>
      )}
      <chakra.fieldset display="grid" gap="4" pt="4" borderTopWidth="1px" borderColor="border">
        {/* A legend that does not float would be drawn in the border of its fieldset. */}
        <chakra.legend float="left" width="100%" fontWeight="semibold" css={{ '& + *': { clear: 'both' } }}>
          {messages.responsible}
        </chakra.legend>
        <TextField label={messages.responsibleName} {...form.text('responsibleName')} maxLength={100} />
        <TextField
          label={messages.responsibleContact}
          {...form.text('responsibleContact')}
          hint={messages.responsibleContactHint}
          maxLength={100}
        />
      </chakra.fieldset>
      {tenant && (
        <>
          <CheckField label={messages.healthCheck} {...form.check('healthCheck')} />
          <CheckField label={messages.paused} {...form.check('paused')} />
        </>
      )}
    </FormDialog>
  );
}
