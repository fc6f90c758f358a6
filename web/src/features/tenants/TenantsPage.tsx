import { Button } from '@chakra-ui/react';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { brand } from '../../ui/brand';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/EmptyState';
import { ListState } from '../../ui/ListState';
import { ListToolbar } from '../../ui/ListToolbar';
import { Page } from '../../ui/Page';
import { RowAction } from '../../ui/RowAction';
import { useDialogParam } from '../../ui/useDialogParam';
import { useFailureNotice } from '../../ui/useFailureNotice';
import { useList } from '../../ui/useList';
import { type TenantRowFragment, useTenantsQuery } from './generated/tenants';
import { TENANT_DIALOGS, TenantDialogs } from './TenantDialogs';
import { tenantColumns, tenantText } from './tenantColumns';
import { tenantsMessages as messages } from './tenants.messages';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const NONE: readonly TenantRowFragment[] = [];

/** `/tenants`: all tenants; create, edit, domain, remove. */
export default function TenantsPage() {
  // Not through the cache: normalising 5,000 tenants takes longer than everything else together.
  const { data: fresh, previousData, loading, error, refetch } = useTenantsQuery({ fetchPolicy: 'no-cache' });
  const data = fresh ?? previousData;
  const tenants = data?.tenants ?? NONE;
  const dialog = useDialogParam(TENANT_DIALOGS);
  const { open } = dialog;
  const columns = useMemo(() => tenantColumns((id) => open('dominio', id)), [open]);
  const list = useList(tenants, columns, tenantText);
  useFailureNotice({ error, loading }, messages.failure.load);

  const actions = useCallback(
    ({ _id, name }: TenantRowFragment) => (
      <>
        <RowAction label={messages.edit} of={name} icon={<Pencil aria-hidden />} onClick={() => open('editar', _id)} />
        <RowAction
          label={messages.remove}
          of={name}
          icon={<Trash2 aria-hidden />}
          danger
          onClick={() => open('remover', _id)}
        />
      </>
    ),
    [open],
  );
  const create = (
    <Button onClick={() => open('novo')}>
      <Plus aria-hidden />
      {messages.create}
    </Button>
  );

  return (
    <Page title={messages.title} subtitle={messages.subtitle} action={tenants.length > 0 && create}>
      <ListState
        ready={data !== undefined}
        loading={loading}
        failure={error ? messages.failure.unavailable : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        {tenants.length === 0 ? (
          <EmptyState text={messages.empty} action={create} />
        ) : (
          <>
            <ListToolbar list={list} label={messages.search} />
            <DataList list={list} label={messages.list} rowKey={({ _id }) => _id} actions={actions} />
          </>
        )}
      </ListState>
      <TenantDialogs
        dialog={dialog}
        tenants={tenants}
        // The change itself succeeded; a failed refetch shows above the list.
        onChanged={() => refetch().catch(() => undefined)}
      />
    </Page>
  );
}
