import { object } from 'valibot';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { SelectField } from '../../ui/form/fields/SelectField';
import { requiredText } from '../../ui/form/schema/schemas';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { type TenantRowFragment, useMoveTenantMutation, useTenantOptionsQuery } from './generated/tenants';
import { tenantsMessages } from './tenants.messages';
import { useNotifyTenant } from './useNotifyTenant';

const { moving: messages, dialog, failure, success } = tenantsMessages;

const schema = object({ project: requiredText() });

interface MoveTenantDialogProps {
  tenant: TenantRowFragment;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** Moves a tenant to another project; its database and addresses stay. */
export function MoveTenantDialog({ tenant, onChanged, onClose }: MoveTenantDialogProps) {
  const { data: options, state } = useQueryState(useTenantOptionsQuery(), { failureMessage: failure.load });
  const [move] = useMoveTenantMutation();
  const notifyTenant = useNotifyTenant();
  const form = useAppForm({
    initial: { project: '' },
    schema,
    failureMessage: failure.move,
    isFailureNotified: true,
    send: async ({ project }) => {
      const { data } = await move({ variables: { id: tenant._id, project } });
      await onChanged();
      return data?.moveTenant.live;
    },
    onSaved: (live) => {
      onClose();
      notifyTenant(success.moved, tenant, live);
    },
  });
  return (
    <FormDialog
      title={messages.title}
      description={messages.text(tenant.name, tenant.dbName)}
      submitLabel={messages.save}
      form={form}
      onClose={onClose}
    >
      <LoadFailed {...state} />
      <SelectField
        {...form.choice('project', messages)}
        options={toRowOptions(options?.projects.filter(({ _id }) => _id !== tenant.project._id))}
        placeholder={dialog.projectPlaceholder}
        required
      />
    </FormDialog>
  );
}
