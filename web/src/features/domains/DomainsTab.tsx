import { chakra, Flex, Grid } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import type { SiteInput } from '../../generated/graph';
import { POLL_INTERVAL_MS } from '../../lib/graphql/query/polling';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { notify, notifyFailure } from '../../lib/notifications/notification';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { DnsRecords } from '../../shared/host/DnsRecords';
import { DomainChip } from '../../shared/host/DomainChip';
import { getDomainStage, toDnsRecords } from '../../shared/host/domainStage';
import { describeStage } from '../../shared/host/domainStageText';
import { domainStatusMessages as texts } from '../../shared/host/domainStatus.messages';
import { Chip } from '../../ui/cells/Chip';
import { RelativeTime } from '../../ui/cells/RelativeTime';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { SubmitButton } from '../../ui/form/Form';
import { useAction } from '../../ui/form/useAction';
import { AddButton } from '../../ui/layout/AddButton';
import { Disclosure } from '../../ui/layout/Disclosure';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { RemoveAction, RowAction, RowNameContext } from '../../ui/list/rows/RowAction';
import { domainsMessages as messages } from './domains.messages';
import {
  type SiteDomainRowFragment,
  SiteDomainsDocument,
  useAddSiteDomainMutation,
  useCheckSiteMutation,
  useRemoveSiteDomainMutation,
  useSiteDomainsQuery,
} from './generated/domains';

/** These names differ from `remover`, which is a dialog of the surrounding page. */
const DIALOGS = ['adicionarDominio', 'removerDominio'] as const;
const AddDomainDialog = lazyDialog(() => import('./AddDomainDialog'));

interface DomainProps {
  row: SiteDomainRowFragment;
  onMakePrimary: () => void;
  onRemove: () => void;
}

function Domain({ row, onMakePrimary, onRemove }: DomainProps) {
  const { host, displayHost, role, displayTo, status } = row;
  const isActive = status.every((hostStatus) => getDomainStage(hostStatus).stage === 'active');
  const expectedRecords = toDnsRecords(status);
  // In `status`, a wildcard has the records of one name below it, so the wildcard's own records are shown.
  const records = expectedRecords.length > 0 && !host.startsWith('*.') ? expectedRecords : row.records;
  return (
    <Grid as="li" templateColumns="minmax(0, 1fr)" gap="3" layerStyle="panel" p="4">
      <Flex as="header" wrap="wrap" align="center" rowGap="2" columnGap="3">
        <chakra.h2 textStyle="md" overflowWrap="anywhere">
          {displayHost}
        </chakra.h2>
        <Chip color={role === 'primary' ? 'purple' : 'neutral'}>{messages.roles[role]}</Chip>
        {displayTo && <chakra.span color="fg.muted">{messages.redirectsTo(displayTo)}</chakra.span>}
        <Flex gap="2" ms="auto">
          <RowNameContext value={displayHost}>
            {role !== 'primary' && !host.startsWith('*.') && (
              <RowAction label={messages.makePrimary} icon="star" onClick={onMakePrimary} />
            )}
            <RemoveAction onClick={onRemove} />
          </RowNameContext>
        </Flex>
      </Flex>
      <Grid as="ul" templateColumns="minmax(0, 1fr)" gap="1.5">
        {status.map((hostStatus) => (
          <Flex
            as="li"
            key={hostStatus.host}
            wrap="wrap"
            align="center"
            rowGap="1"
            columnGap="3"
            overflowWrap="anywhere"
          >
            <span>{hostStatus.displayHost}</span>
            <DomainChip status={hostStatus} />
            {hostStatus.checkedAt && (
              <small>
                {texts.checked} <RelativeTime at={hostStatus.checkedAt} />
              </small>
            )}
            <chakra.p flexBasis="100%" textStyle="xs" color="fg.muted">
              {describeStage(hostStatus)}
            </chakra.p>
          </Flex>
        ))}
      </Grid>
      <Disclosure label={texts.records} open={!isActive}>
        <DnsRecords host={host} displayHost={displayHost} records={records} />
      </Disclosure>
    </Grid>
  );
}

/** The tab `Domínios`: the domains of a subdomain or tenant, and instructions for the DNS provider. */
export default function DomainsTab({ site }: { site: SiteInput }) {
  const dialog = useDialogParam(DIALOGS);
  const query = useSiteDomainsQuery({ variables: { site }, pollInterval: POLL_INTERVAL_MS });
  const { data, state, refetch } = useQueryState(query, { failureMessage: messages.failure.load });
  const [add] = useAddSiteDomainMutation({ refetchQueries: [SiteDomainsDocument], awaitRefetchQueries: true });
  const [removeDomain] = useRemoveSiteDomainMutation();
  const domains = data?.domains ?? [];
  const selected = domains.find(({ host }) => host === dialog.id);
  const getRemovalProps = useRemoval<SiteDomainRowFragment>({
    message: ({ displayHost }) => messages.removal.message(displayHost),
    send: ({ host }) => removeDomain({ variables: { site, host } }),
    refetch,
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  const [check] = useCheckSiteMutation();
  const checking = useAction({
    failureMessage: messages.failure.check,
    send: async () => {
      await check({ variables: { label: site.key, id: site.key, isTenant: site.type === 'tenant' } });
      await refetch();
    },
  });
  const makePrimary = async ({ host, displayHost, wwwMode }: SiteDomainRowFragment) => {
    await add({ variables: { site, input: { host, role: 'primary', www: wwwMode } } });
    notify(messages.success.primary(displayHost));
  };
  return (
    <Grid as="section" templateColumns="minmax(0, 1fr)" gap="4" aria-label={messages.title}>
      <Flex wrap="wrap" align="center" rowGap="2" columnGap="3">
        <chakra.p me="auto" color="fg.muted">
          {messages.text}
        </chakra.p>
        <WritersOnly>
          {domains.length > 0 && (
            <SubmitButton variant="outline" action={checking} icon={<RefreshCw aria-hidden />}>
              {texts.check}
            </SubmitButton>
          )}
          <AddButton label={messages.add} onClick={() => dialog.open('adicionarDominio')} />
        </WritersOnly>
      </Flex>
      <QueryState {...state}>
        {domains.length === 0 ? (
          <EmptyState text={messages.empty} />
        ) : (
          <Grid as="ul" templateColumns="minmax(0, 1fr)" gap="3">
            {domains.map((row) => (
              <Domain
                key={row.host}
                row={row}
                onMakePrimary={() => void makePrimary(row).catch(notifyFailure(messages.failure.primary))}
                onRemove={() => dialog.open('removerDominio', row.host)}
              />
            ))}
          </Grid>
        )}
      </QueryState>
      {dialog.name === 'adicionarDominio' && <AddDomainDialog site={site} onClose={dialog.close} />}
      {dialog.name === 'removerDominio' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </Grid>
  );
}
