import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { notify } from '../../ui/notification';
import type { useDialogParam } from '../../ui/useDialogParam';
import { DomainDialog } from './DomainDialog';
import {
  type TenantRowFragment,
  useDeleteTenantMutation,
  useRemoveTenantDomainMutation,
  useTenantOptionsQuery,
} from './generated/tenants';
import { TenantDialog } from './TenantDialog';
import { tenantsMessages as messages } from './tenants.messages';

export const TENANT_DIALOGS = ['novo', 'editar', 'dominio', 'remover', 'remover-dominio'] as const;

interface TenantDialogsProps {
  dialog: ReturnType<typeof useDialogParam<(typeof TENANT_DIALOGS)[number]>>;
  tenants: readonly TenantRowFragment[];
  /** Brings the list up to date; the dialog waits for it. */
  onChanged: () => Promise<unknown>;
}

const asNotification = (sentence: string) => notify(sentence, { color: 'error' });

/** The dialog that the address asks for, about the tenant that it names. */
export function TenantDialogs({ dialog: { name, id, close, open }, tenants, onChanged }: TenantDialogsProps) {
  const { data: options } = useTenantOptionsQuery();
  const [remove] = useDeleteTenantMutation({ fetchPolicy: 'no-cache' });
  const [removeDomain] = useRemoveTenantDomainMutation({ fetchPolicy: 'no-cache' });
  const tenant = tenants.find(({ _id }) => _id === id);

  if (name === 'novo')
    return options ? <TenantDialog projects={options.projects} onChanged={onChanged} onClose={close} /> : null;
  if (!tenant) return null;

  switch (name) {
    case 'editar':
      return (
        <TenantDialog
          key={tenant._id}
          tenant={tenant}
          projects={options?.projects ?? []}
          onChanged={onChanged}
          onClose={close}
        />
      );
    case 'dominio':
      return (
        <DomainDialog
          key={tenant._id}
          tenant={tenant}
          serverIp={options?.installation.serverIp ?? null}
          onChanged={onChanged}
          onRemove={() => open('remover-dominio', tenant._id)}
          onClose={close}
        />
      );
    case 'remover-dominio':
      return (
        <ConfirmDialog
          title={messages.removal.title}
          message={messages.domain.removalMessage(tenant.customDomain ?? '')}
          confirmLabel={messages.removal.confirm}
          fallback={messages.failure.domainRemoval}
          onFailure={asNotification}
          onClose={close}
          onConfirm={async () => {
            await removeDomain({ variables: { id: tenant._id } });
            await onChanged();
            close();
            notify(messages.success.domainRemoved);
          }}
        />
      );
    default:
      return (
        <ConfirmDialog
          title={messages.removal.title}
          message={messages.removal.message(tenant.name)}
          confirmLabel={messages.removal.confirm}
          width={400}
          fallback={messages.failure.remove}
          onFailure={asNotification}
          onClose={close}
          onConfirm={async () => {
            await remove({ variables: { id: tenant._id } });
            await onChanged();
            close();
            notify(messages.success.removed);
          }}
        />
      );
  }
}
