import { useRemoval } from '../../lib/notifications/useRemoval';
import type { DialogParam } from '../../lib/routing/useDialogParam';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { DomainDialog } from './domain/DomainDialog';
import { CreateTenantDialog } from './form/CreateTenantDialog';
import { EditTenantDialog } from './form/EditTenantDialog';
import { type TenantRowFragment, useDeleteTenantMutation, useRemoveTenantDomainMutation } from './generated/tenants';
import { MoveTenantDialog } from './MoveTenantDialog';
import { tenantsMessages as messages } from './tenants.messages';

export const TENANT_DIALOGS = ['novo', 'editar', 'mover', 'dominio', 'remover', 'remover-dominio'] as const;

interface TenantDialogsProps {
  dialog: DialogParam<(typeof TENANT_DIALOGS)[number]>;
  /** The tenant of the dialog; undefined until the tenant is read. */
  tenant: TenantRowFragment | undefined;
  /** Refetches the list. The dialog waits for the refetch. */
  onChanged: () => Promise<unknown>;
  /** Leaves the page of a removed tenant. Without this callback, the list is refetched. */
  onRemoved?: () => void;
  onCheck: (id: string) => Promise<unknown>;
  /** The initially chosen project of a new tenant, if any. */
  projectId?: string;
}

export function TenantDialogs({
  dialog: { name, close, open },
  tenant,
  onChanged,
  onRemoved,
  onCheck,
  projectId,
}: TenantDialogsProps) {
  const [deleteTenant] = useDeleteTenantMutation();
  const [removeDomain] = useRemoveTenantDomainMutation();
  const confirmation = { onClose: close, isFailureNotified: true };
  const getRemovalProps = useRemoval<TenantRowFragment>({
    ...confirmation,
    refetch: onRemoved ? undefined : onChanged,
    onRemoved,
    message: (row) => messages.removal.message(row.name),
    send: ({ _id }) => deleteTenant({ variables: { id: _id } }),
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  const getDomainRemovalProps = useRemoval<TenantRowFragment>({
    ...confirmation,
    refetch: onChanged,
    message: ({ displayDomain }) => messages.domain.removalMessage(displayDomain ?? ''),
    send: ({ _id }) => removeDomain({ variables: { id: _id } }),
    success: messages.success.domainRemoved,
    failureMessage: messages.failure.domainRemoval,
  });

  if (name === 'novo') return <CreateTenantDialog projectId={projectId} onChanged={onChanged} onClose={close} />;
  if (!tenant) return null;

  switch (name) {
    case 'editar':
      return <EditTenantDialog key={tenant._id} tenant={tenant} onChanged={onChanged} onClose={close} />;
    case 'mover':
      return <MoveTenantDialog key={tenant._id} tenant={tenant} onChanged={onChanged} onClose={close} />;
    case 'dominio':
      return (
        <DomainDialog
          key={tenant._id}
          tenant={tenant}
          onChanged={onChanged}
          onCheck={() => onCheck(tenant._id)}
          onRemove={() => open('remover-dominio', tenant._id)}
          onClose={close}
        />
      );
    case 'remover-dominio':
      return tenant.customDomain ? <ConfirmDialog {...getDomainRemovalProps(tenant)} /> : null;
    case 'remover':
      return <ConfirmDialog {...getRemovalProps(tenant)} />;
    default:
      return null;
  }
}
