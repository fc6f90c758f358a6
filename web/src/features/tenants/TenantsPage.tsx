import { NetworkStatus } from '@apollo/client';
import { useCallback, useMemo } from 'react';
import type { TenantSort } from '../../generated/graph';
import { ALL_OR_FIRST_PAGE, useDialogRow } from '../../lib/graphql/query/longLists';
import { preloadQuery, revalidateNever } from '../../lib/graphql/query/preloadQuery';
import { getBrand } from '../../lib/page/brand';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useShowRequests } from '../../lib/routing/useShowRequests';
import { useLongListQuery } from '../../shared/list/useLongListQuery';
import { type ListRequest, toOrder } from '../../shared/list/usePagedList';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { AddButton } from '../../ui/layout/AddButton';
import { Page } from '../../ui/layout/Page';
import { ListQueryView } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RequestsAction, RowAction } from '../../ui/list/rows/RowAction';
import type { Route } from './+types/TenantsPage';
import {
  TenantDocument,
  type TenantQuery,
  type TenantRowFragment,
  TenantsDocument,
  useTenantOptionsQuery,
} from './generated/tenants';
import { TENANT_DIALOGS, TenantDialogs } from './TenantDialogs';
import { createTenantColumns, toTenantSearchText } from './tenantColumns';
import { tenantsMessages as messages } from './tenants.messages';
import { useTenants } from './useTenants';

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

export const clientLoader = () =>
  preloadQuery(TenantsDocument, { fetchPolicy: 'no-cache', variables: ALL_OR_FIRST_PAGE });

export const shouldRevalidate = revalidateNever;

const getProjectId = ({ project }: TenantRowFragment) => project._id;
const NO_PROJECTS: readonly never[] = [];
const selectRow = ({ tenant }: TenantQuery) => tenant;
/** The server's names of the sort orders, by column. */
const SORTS: Readonly<Record<string, TenantSort>> = {
  name: 'name',
  project: 'project',
  subdomain: 'subdomain',
  domain: 'customDomain',
  responsible: 'responsibleName',
};
const toVariables = (request: ListRequest) => ({
  search: request.search,
  project: request.filter,
  sortBy: request.sort && SORTS[request.sort.column],
  order: toOrder(request),
});

/** `/tenants`: all tenants, with actions that create, edit, check, move and remove them, and set their domain. */
export default function TenantsPage({ loaderData }: Route.ComponentProps) {
  const dialog = useDialogParam(TENANT_DIALOGS);
  const { open } = dialog;
  const options = useTenantOptionsQuery();
  const projects = options.data?.projects ?? NO_PROJECTS;
  const onlyProject = projects.length === 1 ? projects[0] : undefined;
  const { query, selectRows, check } = useTenants(loaderData);
  const showRequests = useShowRequests();
  const columns = useMemo(
    () => createTenantColumns({ onEditDomain: (id) => open('dominio', id), onCheck: check }),
    [open, check],
  );
  const filter = useMemo(
    () => ({ ...messages.filter, options: toRowOptions(projects), getValue: getProjectId }),
    [projects],
  );
  const tenants = useLongListQuery(query, {
    document: TenantsDocument,
    selectRows,
    toVariables,
    columns,
    toSearchText: toTenantSearchText,
    filter,
    failureMessage: messages.failure.load,
    isFailureNotified: true,
    inlineMessage: messages.failure.unavailable,
  });

  const selected = useDialogRow(tenants, dialog.id, TenantDocument, selectRow);

  const actions = useCallback(
    ({ _id, name }: TenantRowFragment) => (
      <>
        <RequestsAction onClick={() => showRequests('tenant', _id, name)} />
        <EditAction onClick={() => open('editar', _id)} />
        <RowAction label={messages.move} icon="arrows" isIconOnly onClick={() => open('mover', _id)} />
        <RemoveAction onClick={() => open('remover', _id)} />
      </>
    ),
    [open, showRequests],
  );

  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      action={<AddButton label={messages.create} onClick={() => open('novo')} />}
    >
      <ListQueryView query={tenants} texts={messages.list} actions={actions} actionsWidth="252px" actionCount={4} />
      {/* The dialog waits for the projects, because it preselects the project if there is only one.
          A later preselection would count as a change of the form. */}
      {options.networkStatus !== NetworkStatus.loading && (
        <TenantDialogs
          dialog={dialog}
          tenant={selected}
          onChanged={tenants.refetch}
          onCheck={check}
          projectId={tenants.list.filter?.value || onlyProject?._id}
        />
      )}
    </Page>
  );
}
