import { useRef } from 'react';
import { type ClientLoaderFunctionArgs, Link, useLoaderData, useNavigate, useParams } from 'react-router';
import { RequestLog } from '../../features/gateway-requests/RequestLog';
import {
  SubdomainDocument,
  type SubdomainQuery,
  type SubdomainRowFragment,
} from '../../features/subdomains/generated/subdomains';
import { EditSubdomainDialog } from '../../features/subdomains/lazyDialogs';
import { SubdomainOverview } from '../../features/subdomains/SubdomainOverview';
import { useSubdomainRemoval } from '../../features/subdomains/useSubdomainRemoval';
import { UptimePanel } from '../../features/uptime/UptimePanel';
import { brand } from '../../lib/brand';
import { readFresh } from '../../lib/client';
import { siteHost } from '../../lib/host';
import { usePolling } from '../../lib/polling';
import { onOtherPath, preloadQuery } from '../../lib/preloadQuery';
import { useDialogParam } from '../../lib/useDialogParam';
import { usePreloadedQuery } from '../../lib/usePreloadedQuery';
import { useQueryState } from '../../lib/useQueryState';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { QueryState } from '../../ui/feedback/QueryState';
import { Page } from '../../ui/layout/Page';
import { PageMessage } from '../../ui/layout/PageMessage';
import { paths } from '../paths';
import { BackLink } from './BackLink';
import { EditButton, RemoveButton } from './PageActions';
import { domainsTab, overviewTab, publishingTabs, requestsTab, SiteTabs } from './SiteTabs';
import { siteMessages } from './site.messages';

const { subdomain: messages } = siteMessages;

interface Params {
  label?: string;
}

export const meta = ({ params }: { params: Params }) => [{ title: `${params.label} · ${brand()}` }];

export const clientLoader = ({ params: { label = '' } }: ClientLoaderFunctionArgs) =>
  preloadQuery(SubdomainDocument, { variables: { id: label } });

export const shouldRevalidate = onOtherPath;

const rowOf = ({ subdomain }: SubdomainQuery) => subdomain;
const DIALOGS = ['editar', 'remover'] as const;
const back = <BackLink to={paths.subdomains} label={messages.list} />;

/** The page of a subdomain that exists. */
function Subdomain({ row }: { row: SubdomainRowFragment }) {
  const navigate = useNavigate();
  const dialog = useDialogParam(DIALOGS);
  const isRemoved = useRef(false);
  const removal = useSubdomainRemoval({
    onRemoved: () => {
      isRemoved.current = true;
    },
    onClose: () => {
      if (isRemoved.current) void navigate(paths.subdomains, { replace: true });
      else dialog.close();
    },
  });
  const { _id, subdomain } = row;
  const host = siteHost(subdomain);
  const site = { type: 'subdomain', key: subdomain } as const;
  return (
    <Page
      title={host}
      subtitle={row.description}
      back={back}
      action={
        <>
          <EditButton onClick={() => dialog.open('editar')} />
          <RemoveButton onClick={() => dialog.open('remover')} />
        </>
      }
    >
      <SiteTabs
        label={messages.tabs}
        tabs={[
          overviewTab(
            <>
              <SubdomainOverview row={row} />
              <UptimePanel subdomain={subdomain} />
            </>,
          ),
          ...publishingTabs(site),
          domainsTab(site),
          requestsTab(<RequestLog subject={{ kind: 'subdominio', id: _id, name: host }} />),
        ]}
      />
      {dialog.name === 'editar' && <EditSubdomainDialog row={row} onClose={dialog.close} />}
      {/* Another id is that of a row of a tab, whose list has a dialog of the same name. */}
      {dialog.name === 'remover' && dialog.id === '1' && <ConfirmDialog {...removal(subdomain)} />}
    </Page>
  );
}

/** `/admin/subdomains/:label`: one subdomain, with an address that can be sent to a colleague. */
export default function SubdomainPage() {
  const { label = '' } = useParams();
  const query = usePreloadedQuery(useLoaderData<typeof clientLoader>());
  const { data, state } = useQueryState(query, { fallback: messages.failure });
  usePolling(() => readFresh(SubdomainDocument, { id: label }));
  const row = data && rowOf(data);
  if (data && !row) {
    return (
      <PageMessage title={messages.missing.title} text={messages.missing.text(siteHost(label))}>
        <Link to={paths.subdomains}>{messages.missing.action}</Link>
      </PageMessage>
    );
  }
  if (row) return <Subdomain key={row.subdomain} row={row} />;
  return (
    <Page title={siteHost(label)} back={back}>
      <QueryState {...state}>{null}</QueryState>
    </Page>
  );
}
