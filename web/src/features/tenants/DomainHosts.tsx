import { RefreshCw } from 'lucide-react';
import { notifyFailure } from '../../lib/notification';
import { Button, Spinner } from '../../ui/form/Button';
import { useSubmit } from '../../ui/form/useSubmit';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { CopyButton } from '../../ui/list/CopyButton';
import { DateTime, RelativeTime } from '../../ui/list/RelativeTime';
import styles from './domain.module.css';
import { type DomainStage, domainStage } from './domainStage';
import type { DomainStatusRowFragment } from './generated/tenants';
import { tenantsMessages } from './tenants.messages';

const { domainStatus: messages, failure } = tenantsMessages;

const COLORS: Record<DomainStage, ChipColor> = {
  failed: 'red',
  dnsPending: 'orange',
  expiring: 'orange',
  dnsOk: 'blue',
  issuing: 'blue',
  active: 'green',
};

/** The stage of a domain or of its `www`, as a chip. */
export function DomainChip({ status }: { status: DomainStatusRowFragment }) {
  const { stage, daysLeft } = domainStage(status);
  return (
    <Chip color={COLORS[stage]}>{stage === 'expiring' ? messages.expiresIn(daysLeft) : messages.stages[stage]}</Chip>
  );
}

/** Explains the stage and what to do about it. */
function explanation(status: DomainStatusRowFragment): string {
  const { dns, expected, checkedAt } = status;
  const { stage, daysLeft } = domainStage(status);
  if (stage === 'dnsPending') {
    if (expected.length === 0) return messages.noServerIp;
    if (checkedAt === null) return messages.notYet;
    return dns === 'unknown' ? messages.dnsUnknown : dns === 'wrong' ? messages.wrong : messages.missing;
  }
  if (stage === 'failed' && daysLeft < 0) return messages.expired;
  return {
    failed: messages.failed,
    expiring: messages.expiring,
    dnsOk: messages.dnsOk,
    issuing: messages.issuing,
    active: messages.active,
  }[stage];
}

const recordType = (value: string): string =>
  value.includes(':') ? 'AAAA' : /^\d+(\.\d+){3}$/.test(value) ? 'A' : 'CNAME';

function Records({ label, values }: { label: string; values: readonly string[] }) {
  return (
    <div>
      <dt>{label}</dt>
      {values.length === 0 && <dd>{messages.noRecords}</dd>}
      {values.map((value) => (
        <dd key={value}>
          <small>{recordType(value)}</small> <span>{value}</span>
          <CopyButton text={value} label={messages.copyRecord(recordType(value), value)} />
        </dd>
      ))}
    </div>
  );
}

function Host({ status }: { status: DomainStatusRowFragment }) {
  const { host, found, expected, certificate, checkedAt, nextCheckAt } = status;
  return (
    <li>
      <h3>
        <span>{host}</span>
        <DomainChip status={status} />
      </h3>
      <p>{explanation(status)}</p>
      {certificate.issuer && certificate.expiresAt && (
        <p>
          {messages.certificate(certificate.issuer)} <DateTime at={certificate.expiresAt} />
        </p>
      )}
      <details open={domainStage(status).stage !== 'active'}>
        <summary>{messages.records}</summary>
        <dl>
          <Records label={messages.found} values={found} />
          <Records label={messages.expected} values={expected} />
        </dl>
      </details>
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
  /** The domain and its `www`. */
  hosts: readonly DomainStatusRowFragment[];
  /** Checks the hosts now and shows the result. */
  onCheck: () => Promise<unknown>;
}

/** DNS and certificate of a domain and its `www` as last checked, and when the next check is due. */
export function DomainHosts({ hosts, onCheck }: DomainHostsProps) {
  const checking = useSubmit({ fallback: failure.check, onFailure: notifyFailure, send: onCheck });
  return (
    <section className={styles.status} aria-label={messages.title}>
      <ul aria-live="polite">
        {hosts.map((status) => (
          <Host key={status.host} status={status} />
        ))}
      </ul>
      <Button variant="outline" size="sm" onClick={checking.submit} aria-busy={checking.pending || undefined}>
        {checking.pending ? <Spinner aria-hidden /> : <RefreshCw aria-hidden />}
        {messages.check}
      </Button>
    </section>
  );
}
