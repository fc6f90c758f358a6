import type { DnsRecord } from '../../lib/userError';
import { CopyButton } from '../../ui/list/CopyButton';
import styles from './domain.module.css';
import { tenantsMessages } from './tenants.messages';

const messages = tenantsMessages.domain.proof;

/** The TXT record that a refused claim of a domain asks for, to be copied. */
export function DomainProof({ record: { type, name, value } }: { record: DnsRecord }) {
  return (
    <section className={styles.proof} aria-label={messages.title}>
      <dl>
        <div>
          <dt>{messages.name}</dt>
          <dd>
            <small>{type}</small> <span>{name}</span>
            <CopyButton text={name} label={messages.copyName} />
          </dd>
        </div>
        <div>
          <dt>{messages.value}</dt>
          <dd>
            <span>{value}</span>
            <CopyButton text={value} label={messages.copyValue} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
