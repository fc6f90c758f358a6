import { Button, Spinner } from '@chakra-ui/react';
import { Plus, RefreshCw } from 'lucide-react';
import type { SiteInput } from '../../generated/graph';
import { notify, notifyError } from '../../lib/notification';
import { polling } from '../../lib/polling';
import { useDialogParam } from '../../lib/useDialogParam';
import { useQueryState } from '../../lib/useQueryState';
import { useRemoval } from '../../lib/useRemoval';
import { isAbort, toUserError } from '../../lib/userError';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useSubmit } from '../../ui/form/useSubmit';
import { WriteOnly } from '../../ui/layout/WriteOnly';
import { Chip } from '../../ui/list/Chip';
import { DnsRecords } from '../../ui/list/DnsRecords';
import { DomainChip } from '../../ui/list/DomainChip';
import { domainStage, recordsOf } from '../../ui/list/domainStage';
import { stageText } from '../../ui/list/domainStageText';
import { domainStatusMessages as texts } from '../../ui/list/domainStatus.messages';
import { RelativeTime } from '../../ui/list/RelativeTime';
import { RemoveAction, RowAction } from '../../ui/list/RowAction';
import { domainsMessages as messages } from './domains.messages';
import styles from './domains.module.css';
import {
  type SiteDomainRowFragment,
  useAddSiteDomainMutation,
  useCheckDomainsOfSubdomainMutation,
  useCheckDomainsOfTenantMutation,
  useRemoveSiteDomainMutation,
  useSiteDomainsQuery,
} from './generated/domains';

/** Names of their own: the page around the tab has a dialog `remover`. */
const DIALOGS = ['adicionarDominio', 'removerDominio'] as const;
const AddDomainDialog = lazyDialog(() => import('./AddDomainDialog'));

interface DomainProps {
  row: SiteDomainRowFragment;
  onPrimary: () => void;
  onRemove: () => void;
}

function Domain({ row, onPrimary, onRemove }: DomainProps) {
  const { host, role, to, status } = row;
  const isActive = status.every((one) => domainStage(one).stage === 'active');
  const expected = recordsOf(status);
  // The status of a wildcard is that of a name below it.
  const records = expected.length > 0 && !host.startsWith('*.') ? expected : row.records;
  return (
    <li className={styles.domain}>
      <header>
        <h2>{host}</h2>
        <Chip color={role === 'primary' ? 'purple' : 'neutral'}>{messages.roles[role]}</Chip>
        {to && <span className={styles.note}>{messages.redirectsTo(to)}</span>}
        <span className={styles.actions}>
          {role !== 'primary' && !host.startsWith('*.') && (
            <RowAction label={messages.makePrimary} of={host} icon="star" onClick={onPrimary} />
          )}
          <RemoveAction of={host} onClick={onRemove} />
        </span>
      </header>
      <ul className={styles.hosts}>
        {status.map((one) => (
          <li key={one.host}>
            <span>{one.host}</span>
            <DomainChip status={one} />
            {one.checkedAt && (
              <small>
                {texts.checked} <RelativeTime at={one.checkedAt} />
              </small>
            )}
            <p>{stageText(one)}</p>
          </li>
        ))}
      </ul>
      <details open={!isActive}>
        <summary data-chevron>{texts.records}</summary>
        <DnsRecords host={host} records={records} />
      </details>
    </li>
  );
}

/** The tab `Domínios`: the domains of a subdomain or tenant, and what to do at the DNS provider. */
export default function DomainsTab({ site }: { site: SiteInput }) {
  const query = useSiteDomainsQuery({ variables: { site }, fetchPolicy: 'network-only', ...polling });
  const { data, state, refetch } = useQueryState(query, { fallback: messages.failure.load });
  const dialog = useDialogParam(DIALOGS);
  const [add] = useAddSiteDomainMutation({ fetchPolicy: 'no-cache' });
  const [remove] = useRemoveSiteDomainMutation();
  const domains = data?.domains ?? [];
  const selected = domains.find(({ host }) => host === dialog.id);
  const removal = useRemoval<SiteDomainRowFragment>({
    message: ({ host }) => messages.removal(host),
    send: ({ host }) => remove({ variables: { site, host } }),
    refetch,
    onClose: dialog.close,
    success: messages.success.removed,
    fallback: messages.failure.remove,
  });
  const [checkSubdomain] = useCheckDomainsOfSubdomainMutation({ fetchPolicy: 'no-cache' });
  const [checkTenant] = useCheckDomainsOfTenantMutation({ fetchPolicy: 'no-cache' });
  const checking = useSubmit({
    fallback: messages.failure.check,
    onFailure: notifyError,
    send: async () => {
      if (site.type === 'tenant') await checkTenant({ variables: { id: site.key } });
      else await checkSubdomain({ variables: { label: site.key } });
      await refetch();
    },
  });
  const makePrimary = async ({ host, wwwMode }: SiteDomainRowFragment) => {
    try {
      await add({ variables: { site, input: { host, role: 'primary', www: wwwMode } } });
      await refetch();
      notify(messages.success.primary(host));
    } catch (error) {
      if (!isAbort(error)) notifyError(toUserError(error, messages.failure.primary));
    }
  };
  return (
    <section className={styles.tab} aria-label={messages.title}>
      <div className={styles.head}>
        <p className={styles.note}>{messages.text}</p>
        <WriteOnly>
          {domains.length > 0 && (
            <Button variant="outline" onClick={checking.submit} aria-busy={checking.pending || undefined}>
              {checking.pending ? <Spinner aria-hidden /> : <RefreshCw aria-hidden />}
              {texts.check}
            </Button>
          )}
          <Button onClick={() => dialog.open('adicionarDominio')}>
            <Plus aria-hidden />
            {messages.add}
          </Button>
        </WriteOnly>
      </div>
      <QueryState {...state}>
        {domains.length === 0 ? (
          <EmptyState text={messages.empty} />
        ) : (
          <ul className={styles.list}>
            {domains.map((row) => (
              <Domain
                key={row.host}
                row={row}
                onPrimary={() => void makePrimary(row)}
                onRemove={() => dialog.open('removerDominio', row.host)}
              />
            ))}
          </ul>
        )}
      </QueryState>
      {dialog.name === 'adicionarDominio' && <AddDomainDialog site={site} onAdded={refetch} onClose={dialog.close} />}
      {dialog.name === 'removerDominio' && selected && <ConfirmDialog {...removal(selected)} />}
    </section>
  );
}
