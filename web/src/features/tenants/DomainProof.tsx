import { CopyButton } from '../../ui/list/CopyButton';
import styles from './domain.module.css';
import { tenantsMessages } from './tenants.messages';

const messages = tenantsMessages.domain.proof;

/** The record in the sentence that asks for it (409 of `POST /tenants/{id}/domain`). */
const RECORD = /TXT (_studio-proof\.\S+) com o valor (\w+)/;

/** The TXT record that a refusal asks for, to be copied; nothing when it asks for none. */
export function DomainProof({ refusal }: { refusal: string }) {
  const [, name, value] = RECORD.exec(refusal) ?? [];
  if (!name || !value) return null;
  return (
    <section className={styles.proof} aria-label={messages.title}>
      <dl>
        <div>
          <dt>{messages.name}</dt>
          <dd>
            <small>{messages.type}</small> <span>{name}</span>
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
