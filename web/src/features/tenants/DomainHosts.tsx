import { Button, Spinner } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import { notifyError } from '../../lib/notification';
import { useQueryState } from '../../lib/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useSubmit } from '../../ui/form/useSubmit';
import { DnsRecords } from '../../ui/list/DnsRecords';
import { DomainChip } from '../../ui/list/DomainChip';
import { domainStage, recordsOf, recordType } from '../../ui/list/domainStage';
import { stageText } from '../../ui/list/domainStageText';
import { domainStatusMessages as texts } from '../../ui/list/domainStatus.messages';
import { DateTime, RelativeTime } from '../../ui/list/RelativeTime';
import styles from './domain.module.css';
import { type DomainStatusDetailsFragment, useTenantDomainQuery } from './generated/tenants';
import { tenantsMessages } from './tenants.messages';

const { domainStatus: messages, failure } = tenantsMessages;

function Found({ values }: { values: readonly string[] }) {
  return (
    <p>
      {messages.found} {values.map((value) => `${recordType(value)} ${value}`).join(', ')}
    </p>
  );
}

function Host({ status }: { status: DomainStatusDetailsFragment }) {
  const { host, found, certificate, checkedAt, nextCheckAt } = status;
  return (
    <li>
      <h3>
        <span>{host}</span>
        <DomainChip status={status} />
      </h3>
      <p>{stageText(status)}</p>
      {certificate.issuer && certificate.expiresAt && (
        <p>
          {messages.certificate(certificate.issuer)} <DateTime at={certificate.expiresAt} />
        </p>
      )}
      {found.length > 0 && status.dns === 'wrong' && <Found values={found} />}
      {checkedAt && (
        <p className={styles.checks}>
          {messages.checked} <RelativeTime at={checkedAt} />
          {' · '}
          {nextCheckAt ? (
            <>
              {messages.nextCheck} <RelativeTime at={nextCheckAt} />
            </>
          ) : (
            messages.noNextCheck
          )}
        </p>
      )}
    </li>
  );
}

interface DomainHostsProps {
  tenantId: string;
  domain: string;
  /** Checks the hosts now and shows the result. */
  onCheck: () => Promise<unknown>;
}

/** DNS and certificate of a domain and its `www` as last checked, and when the next check is due. */
export function DomainHosts({ tenantId, domain, onCheck }: DomainHostsProps) {
  const { data, state } = useQueryState(
    useTenantDomainQuery({ variables: { id: tenantId }, fetchPolicy: 'network-only' }),
    { fallback: failure.domainStatus },
  );
  const hosts = data?.tenant?.domainStatus ?? [];
  const records = recordsOf(hosts);
  const isActive = hosts.every((status) => domainStage(status).stage === 'active');
  const checking = useSubmit({ fallback: failure.check, onFailure: notifyError, send: onCheck });
  return (
    <section className={styles.status} aria-label={messages.title}>
      <QueryState {...state}>
        <ul aria-live="polite">
          {hosts.map((status) => (
            <Host key={status.host} status={status} />
          ))}
        </ul>
        {records.length > 0 && (
          <details className={styles.records} open={!isActive}>
            <summary data-chevron>{texts.records}</summary>
            <DnsRecords host={domain} records={records} />
          </details>
        )}
      </QueryState>
      <Button variant="outline" size="sm" onClick={checking.submit} aria-busy={checking.pending || undefined}>
        {checking.pending ? <Spinner aria-hidden /> : <RefreshCw aria-hidden />}
        {texts.check}
      </Button>
    </section>
  );
}
