import { Link } from 'react-router';
import { readFresh } from '../../../lib/graphql/client/client';
import { paths, withParams } from '../../../lib/routing/paths';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { CheckField } from '../../../ui/form/fields/checkFields';
import { SubdomainField } from '../../../ui/form/fields/SubdomainField';
import { TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import {
  TenantDocument,
  type TenantRowFragment,
  useTenantOptionsQuery,
  useUpdateTenantMutation,
} from '../generated/tenants';
import { tenantsMessages } from '../tenants.messages';
import { useNotifyTenant } from '../useNotifyTenant';
import { ResponsibleFields } from './ResponsibleFields';
import { tenantSchema, toTenantChanges, toTenantValues } from './tenantForm';

const { dialog: messages, failure, success } = tenantsMessages;

interface EditTenantDialogProps {
  tenant: TenantRowFragment;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** Edits a tenant, except its subdomain and its project (`MoveTenantDialog`). */
export function EditTenantDialog({ tenant, onChanged, onClose }: EditTenantDialogProps) {
  const { _id, project, subdomain } = tenant;
  const projects = useTenantOptionsQuery().data?.projects;
  const [update] = useUpdateTenantMutation();
  const notifyTenant = useNotifyTenant();
  const form = useAppForm({
    draft: `tenants:${_id}`,
    initial: toTenantValues(tenant),
    schema: tenantSchema,
    failureMessage: failure.save,
    isFailureNotified: true,
    send: async (values, version) => {
      const { data } = await update({ variables: { id: _id, input: toTenantChanges(values), version } });
      await onChanged();
      return data?.updateTenant;
    },
    editedEntity: {
      row: tenant,
      read: async () => (await readFresh(TenantDocument, { id: _id }))?.tenant,
      toValues: toTenantValues,
      labels: messages,
      format: (field, value) => (field === 'project' ? projects?.find(({ _id: id }) => id === value)?.name : undefined),
    },
    onSaved: (saved) => {
      onClose();
      if (saved) notifyTenant(success.saved, saved, saved.live);
    },
  });
  return (
    <FormDialog title={messages.edit} width={600} form={form} onClose={onClose}>
      <TextField
        label={messages.project}
        value={project.name}
        hint={
          <>
            {messages.projectHint}{' '}
            <Link to={withParams(paths.projects, { editar: project._id })}>{messages.openProject}</Link>
          </>
        }
        readOnly
      />
      <TextField {...form.text('name', messages)} required />
      <SubdomainField label={messages.subdomain} value={subdomain} readOnly />
      <ResponsibleFields form={form} />
      <CheckField {...form.check('healthCheck', messages)} />
      <CheckField {...form.check('paused', messages)} />
    </FormDialog>
  );
}
