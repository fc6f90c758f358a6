import { chakra, Flex, Grid } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { DnsRecords } from '../../../shared/host/DnsRecords';
import { DomainChip } from '../../../shared/host/DomainChip';
import { getDomainStage, getRecordType, toDnsRecords } from '../../../shared/host/domainStage';
import { describeStage } from '../../../shared/host/domainStageText';
import { domainStatusMessages as texts } from '../../../shared/host/domainStatus.messages';
import { DateTime, RelativeTime } from '../../../ui/cells/RelativeTime';
import { QueryState } from '../../../ui/feedback/QueryState';
import { SubmitButton } from '../../../ui/form/Form';
import { useAction } from '../../../ui/form/useAction';
import { Disclosure } from '../../../ui/layout/Disclosure';
import { type DomainStatusDetailsFragment, useTenantDomainQuery } from '../generated/tenants';
import { tenantsMessages } from '../tenants.messages';

const { domainStatus: messages, failure } = tenantsMessages;

function FoundRecords({ values }: { values: readonly string[] }) {
  return (
    <p>
      {messages.found} {values.map((value) => `${getRecordType(value)} ${value}`).join(', ')}
    </p>
  );
}

function Host({ status }: { status: DomainStatusDetailsFragment }) {
  const { displayHost, found, certificate, checkedAt, nextCheckAt } = status;
  return (
    <Grid as="li" templateColumns="minmax(0, 1fr)" gap="1.5" layerStyle="panel" py="3" px="3.5">
      <Flex as="h3" wrap="wrap" align="center" justify="space-between" rowGap="1" columnGap="3" overflowWrap="anywhere">
        <span>{displayHost}</span>
        <DomainChip status={status} />
      </Flex>
      <p>{describeStage(status)}</p>
      {certificate.issuer && certificate.expiresAt && (
        <p>
          {messages.certificate(certificate.issuer)} <DateTime at={certificate.expiresAt} />
        </p>
      )}
      {found.length > 0 && status.dns === 'wrong' && <FoundRecords values={found} />}
      {checkedAt && (
        <chakra.p textStyle="xs" color="fg.muted">
          {messages.checked} <RelativeTime at={checkedAt} />
          {' · '}
          {nextCheckAt ? (
            <>
              {messages.nextCheck} <RelativeTime at={nextCheckAt} />
            </>
          ) : (
            messages.noNextCheck
          )}
        </chakra.p>
      )}
    </Grid>
  );
}

interface DomainHostsProps {
  tenantId: string;
  domain: string;
  onCheck: () => Promise<unknown>;
}

/** The last check of DNS and certificate of a domain and its `www`, and the time of the next check. */
export function DomainHosts({ tenantId, domain, onCheck }: DomainHostsProps) {
  const { data, state } = useQueryState(
    useTenantDomainQuery({ variables: { id: tenantId }, fetchPolicy: 'network-only' }),
    { failureMessage: failure.domainStatus },
  );
  const hosts = data?.tenant?.domainStatus ?? [];
  const records = toDnsRecords(hosts);
  const isActive = hosts.every((status) => getDomainStage(status).stage === 'active');
  const checking = useAction({ failureMessage: failure.check, send: onCheck });
  return (
    <Grid as="section" templateColumns="minmax(0, 1fr)" gap="3" aria-label={messages.title}>
      <QueryState {...state}>
        <Grid as="ul" templateColumns="minmax(0, 1fr)" gap="3" aria-live="polite">
          {hosts.map((status) => (
            <Host key={status.host} status={status} />
          ))}
        </Grid>
        {records.length > 0 && (
          <Disclosure label={texts.records} mt="3" open={!isActive}>
            <DnsRecords host={domain} displayHost={hosts[0]?.displayHost} records={records} />
          </Disclosure>
        )}
      </QueryState>
      <SubmitButton variant="outline" size="sm" justifySelf="start" action={checking} icon={<RefreshCw aria-hidden />}>
        {texts.check}
      </SubmitButton>
    </Grid>
  );
}
