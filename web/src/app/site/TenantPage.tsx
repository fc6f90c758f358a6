import { RequestLog } from '../../features/gateway-requests/RequestLog';
import {
  TenantPageDocument,
  type TenantPageQuery,
  useCheckTenantMutation,
} from '../../features/tenants/generated/tenants';
import { TENANT_DIALOGS, TenantDialogs } from '../../features/tenants/TenantDialogs';
import { TenantOverview } from '../../features/tenants/TenantOverview';
import { UptimePanel } from '../../features/uptime/UptimePanel';
import { readFresh } from '../../lib/graphql/client/client';
import { usePolling } from '../../lib/graphql/query/polling';
import { preloadQuery, revalidateOnPathChange } from '../../lib/graphql/query/preloadQuery';
import { usePreloadedQuery } from '../../lib/graphql/query/usePreloadedQuery';
import { getSiteHost } from '../../lib/hosts/host';
import { getBrand } from '../../lib/page/brand';
import { usePageTitle } from '../../lib/page/usePageTitle';
import { paths } from '../../lib/routing/paths';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { Page } from '../../ui/layout/Page';
import type { Route } from './+types/TenantPage';
import { BackLink, EntityPage, useOpenList } from './EntityPage';
import { EditButton, MoveButton, RemoveButton } from './PageActions';
import { SiteTabs } from './SiteTabs';
import { siteMessages } from './site.messages';

const { tenant: messages } = siteMessages;

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

export const clientLoader = ({ params: { id } }: Route.ClientLoaderArgs) =>
  preloadQuery(TenantPageDocument, { variables: { id } });

export const shouldRevalidate = revalidateOnPathChange;

const selectRow = ({ tenant }: TenantPageQuery) => tenant;

interface TenantProps {
  row: NonNullable<TenantPageQuery['tenant']>;
  onChanged: () => Promise<unknown>;
}

/** The page of a tenant that exists. */
function Tenant({ row, onChanged }: TenantProps) {
  usePageTitle(row.name);
  const dialog = useDialogParam(TENANT_DIALOGS);
  const [check] = useCheckTenantMutation();
  const onRemoved = useOpenList(paths.tenants);
  const { _id, name, subdomain } = row;
  return (
    <Page
      title={name}
      subtitle={getSiteHost(subdomain)}
      back={<BackLink to={paths.tenants} label={messages.list} />}
      action={
        <>
          <EditButton onClick={() => dialog.open('editar', _id)} />
          <MoveButton onClick={() => dialog.open('mover', _id)} />
          <RemoveButton onClick={() => dialog.open('remover', _id)} />
        </>
      }
    >
      <SiteTabs
        site={{ type: 'tenant', key: _id }}
        label={messages.tabs}
        // The tenant is read again, because the previous tab may have changed its domain or source.
        onShow={() => void onChanged()}
        overview={
          <>
            <TenantOverview row={row} />
            <UptimePanel subject={{ tenant: _id }} isDown={!row.paused && row.health.state === 'down'} />
          </>
        }
        requests={<RequestLog subject={{ kind: 'tenant', id: _id, name }} />}
      />
      <TenantDialogs
        dialog={dialog}
        tenant={dialog.id === _id ? row : undefined}
        onChanged={onChanged}
        onRemoved={onRemoved}
        onCheck={(id) => check({ variables: { id } })}
      />
    </Page>
  );
}

/** `/tenants/:id`: one tenant, with a URL that can be sent to a colleague. */
export default function TenantPage({ params: { id }, loaderData }: Route.ComponentProps) {
  const query = usePreloadedQuery(loaderData);
  usePolling(() => readFresh(TenantPageDocument, { id }));
  return (
    <EntityPage query={query} selectRow={selectRow} messages={messages} listPath={paths.tenants}>
      {(row) => <Tenant key={row._id} row={row} onChanged={() => readFresh(TenantPageDocument, { id })} />}
    </EntityPage>
  );
}
