import { Button, Spinner } from '@chakra-ui/react';
import { Plus, RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { notify, notifyError } from '../../lib/notification';
import { polling } from '../../lib/polling';
import { parseSite } from '../../lib/siteRef';
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
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { DnsRecords } from '../../ui/list/DnsRecords';
import { RelativeTime } from '../../ui/list/RelativeTime';
import { RowAction } from '../../ui/list/RowAction';
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
import { type HostState, hostState } from './hostState';

/** Names of their own: the page around the tab has a dialog `remover`. */
const DIALOGS = ['adicionarDominio', 'removerDominio'] as const;
const AddDomainDialog = lazyDialog(() => import('./AddDomainDialog'));

const COLORS: Record<HostState, ChipColor> = {
  unchecked: 'neutral',
  unknown: 'orange',
  missing: 'orange',
  wrong: 'orange',
  dnsOk: 'blue',
  issuing: 'blue',
  failed: 'red',
  active: 'green',
};

interface DomainProps {
  row: SiteDomainRowFragment;
  onPrimary: () => void;
  onRemove: () => void;
}

function Domain({ row, onPrimary, onRemove }: DomainProps) {
  const { host, role, to, status, records } = row;
  const isActive = status.every((one) => hostState(one) === 'active');
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
          <RowAction label={messages.remove} of={host} icon="trash" danger onClick={onRemove} />
        </span>
      </header>
      <ul className={styles.hosts}>
        {status.map((one) => (
          <li key={one.host}>
            <span>{one.host}</span>
            <Chip color={COLORS[hostState(one)]}>{messages.states[hostState(one)]}</Chip>
            {one.checkedAt && (
              <small>
                {messages.checked} <RelativeTime at={one.checkedAt} />
              </small>
            )}
          </li>
        ))}
      </ul>
      <details open={!isActive}>
        <summary data-chevron>{messages.records}</summary>
        <DnsRecords host={host} records={records} />
      </details>
    </li>
  );
}

/**
 * The tab `Domínios`: the domains of a site, and what to do at the DNS provider.
 * @param site the label of a subdomain, or `tenant:{id}`
 */
export default function DomainsTab({ site }: { site: string }) {
  const key = useMemo(() => parseSite(site), [site]);
  const query = useSiteDomainsQuery({ variables: { site: key }, fetchPolicy: 'network-only', ...polling });
  const { data, state, refetch } = useQueryState(query, { fallback: messages.failure.load });
  const dialog = useDialogParam(DIALOGS);
  const [add] = useAddSiteDomainMutation({ fetchPolicy: 'no-cache' });
  const [remove] = useRemoveSiteDomainMutation();
  const domains = data?.domains ?? [];
  const selected = domains.find(({ host }) => host === dialog.id);
  const removal = useRemoval<SiteDomainRowFragment>({
    title: messages.removal.title,
    message: ({ host }) => messages.removal.message(host),
    confirmLabel: messages.removal.confirm,
    send: ({ host }) => remove({ variables: { site: key, host } }),
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
      if (key.type === 'tenant') await checkTenant({ variables: { id: key.key } });
      else await checkSubdomain({ variables: { label: key.key } });
      await refetch();
    },
  });
  const makePrimary = async ({ host, wwwMode }: SiteDomainRowFragment) => {
    try {
      await add({ variables: { site: key, input: { host, role: 'primary', www: wwwMode } } });
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
              {messages.check}
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
      {dialog.name === 'adicionarDominio' && <AddDomainDialog site={key} onAdded={refetch} onClose={dialog.close} />}
      {dialog.name === 'removerDominio' && selected && <ConfirmDialog {...removal(selected)} />}
    </section>
  );
}
