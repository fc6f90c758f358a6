import { RequestLog } from '../../features/gateway-requests/RequestLog';
import {
  SubdomainDocument,
  type SubdomainQuery,
  type SubdomainRowFragment,
} from '../../features/subdomains/generated/subdomains';
import { EditSubdomainDialog } from '../../features/subdomains/lazyDialogs';
import { useSubdomainRemoval } from '../../features/subdomains/list/useSubdomainRemoval';
import { SubdomainOverview } from '../../features/subdomains/SubdomainOverview';
import { UptimePanel } from '../../features/uptime/UptimePanel';
import { readFresh } from '../../lib/graphql/client/client';
import { usePolling } from '../../lib/graphql/query/polling';
import { preloadQuery, revalidateOnPathChange } from '../../lib/graphql/query/preloadQuery';
import { usePreloadedQuery } from '../../lib/graphql/query/usePreloadedQuery';
import { getSiteHost } from '../../lib/hosts/host';
import { getBrand } from '../../lib/page/brand';
import { paths } from '../../lib/routing/paths';
import { SCREEN_DIALOG_ID, useDialogParam } from '../../lib/routing/useDialogParam';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { Page } from '../../ui/layout/Page';
import type { Route } from './+types/SubdomainPage';
import { BackLink, EntityPage, useOpenList } from './EntityPage';
import { EditButton, RemoveButton } from './PageActions';
import { SiteTabs } from './SiteTabs';
import { siteMessages } from './site.messages';

const { subdomain: messages } = siteMessages;

export const meta = ({ params }: Route.MetaArgs) => [{ title: `${params.label} · ${getBrand()}` }];

export const clientLoader = ({ params: { label } }: Route.ClientLoaderArgs) =>
  preloadQuery(SubdomainDocument, { variables: { id: label } });

export const shouldRevalidate = revalidateOnPathChange;

const selectRow = ({ subdomain }: SubdomainQuery) => subdomain;
const DIALOGS = ['editar', 'remover'] as const;

function Subdomain({ row }: { row: SubdomainRowFragment }) {
  const dialog = useDialogParam(DIALOGS);
  const onRemoved = useOpenList(paths.subdomains);
  const getRemovalProps = useSubdomainRemoval({ onClose: dialog.close, onRemoved });
  const { _id, subdomain } = row;
  const host = getSiteHost(subdomain);
  return (
    <Page
      title={host}
      subtitle={row.description}
      back={<BackLink to={paths.subdomains} label={messages.list} />}
      action={
        <>
          <EditButton onClick={() => dialog.open('editar')} />
          <RemoveButton onClick={() => dialog.open('remover')} />
        </>
      }
    >
      <SiteTabs
        site={{ type: 'subdomain', key: subdomain }}
        label={messages.tabs}
        overview={
          <>
            <SubdomainOverview row={row} />
            <UptimePanel subject={{ subdomain }} isDown={!row.paused && row.health.state === 'down'} />
          </>
        }
        requests={<RequestLog subject={{ kind: 'subdominio', id: _id, name: host }} />}
      />
      {dialog.name === 'editar' && <EditSubdomainDialog row={row} onClose={dialog.close} />}
      {/* The lists in the tabs also open a dialog named `remover`, with the id of a row. */}
      {dialog.name === 'remover' && dialog.id === SCREEN_DIALOG_ID && <ConfirmDialog {...getRemovalProps(subdomain)} />}
    </Page>
  );
}

/** `/admin/subdomains/:label`: one subdomain, with a URL that can be sent to a colleague. */
export default function SubdomainPage({ params: { label }, loaderData }: Route.ComponentProps) {
  const query = usePreloadedQuery(loaderData);
  usePolling(() => readFresh(SubdomainDocument, { id: label }));
  const host = getSiteHost(label);
  const { missing } = messages;
  return (
    <EntityPage
      query={query}
      selectRow={selectRow}
      messages={{ ...messages, title: host, missing: { ...missing, text: missing.text(host) } }}
      listPath={paths.subdomains}
    >
      {(row) => <Subdomain key={row.subdomain} row={row} />}
    </EntityPage>
  );
}
