import type { ComponentProps } from 'react';
import { siteHost } from '../../lib/host';
import { notifyFailure } from '../../lib/notification';
import { notifySaved } from '../../lib/notifySaved';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { SelectField } from '../../ui/form/SelectField';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { uiMessages } from '../../ui/ui.messages';
import { type TenantRowFragment, useMoveTenantMutation } from './generated/tenants';
import type { ProjectOption } from './tenantForm';
import { tenantsMessages } from './tenants.messages';

const { moving: messages, dialog, failure, success } = tenantsMessages;

interface MoveTenantDialogProps {
  tenant: TenantRowFragment;
  /** Undefined while they load. */
  projects: readonly ProjectOption[] | undefined;
  loadingProjects: ComponentProps<typeof LoadFailed>;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** Moves a tenant to another project; its database and addresses stay. */
export function MoveTenantDialog({ tenant, projects, loadingProjects, onChanged, onClose }: MoveTenantDialogProps) {
  const [move] = useMoveTenantMutation({ fetchPolicy: 'no-cache' });
  const form = useForm({
    draft: null,
    initial: { project: '' },
    check: ({ project }): FieldErrors => (project ? {} : { project: uiMessages.required }),
    fallback: failure.move,
    onFailure: notifyFailure,
    send: async ({ project }) => {
      const { data } = await move({ variables: { id: tenant._id, project } });
      await onChanged();
      return data?.moveTenant.live ?? null;
    },
    onSaved: (live) => {
      onClose();
      notifySaved(success.moved, siteHost(tenant.subdomain), live);
    },
  });
  return (
    <FormDialog
      title={messages.title}
      description={messages.text(tenant.name, tenant.dbName)}
      width={500}
      submitLabel={messages.save}
      form={form}
      onClose={onClose}
    >
      <LoadFailed {...loadingProjects} />
      <SelectField
        label={messages.project}
        {...form.text('project')}
        options={(projects ?? [])
          .filter(({ _id }) => _id !== tenant.project._id)
          .map(({ _id, name }) => ({ value: _id, label: name }))}
        placeholder={dialog.projectPlaceholder}
        required
      />
    </FormDialog>
  );
}
