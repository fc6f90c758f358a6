import { CopyableText } from './CopyableText';
import { CopyButton } from './CopyButton';
import styles from './DnsRecords.module.css';
import { dnsRecordsMessages as messages } from './dnsRecords.messages';

interface DnsRecordsProps {
  host: string;
  records: readonly { type: string; name: string; value: string }[];
}

/** DNS records that the owner of a domain creates, one row each, and a text for the client. */
export function DnsRecords({ host, records }: DnsRecordsProps) {
  return (
    <>
      <table className={styles.records} aria-label={messages.title(host)}>
        <thead>
          <tr>
            <th scope="col">{messages.type}</th>
            <th scope="col">{messages.name}</th>
            <th scope="col">{messages.value}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ type, name, value }) => (
            <tr key={`${type} ${name} ${value}`}>
              <td>{type}</td>
              <td>
                <CopyableText text={name} label={messages.copyName(name)} />
              </td>
              <td>
                <CopyableText text={value} label={messages.copyValue(value)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {records.every(({ type }) => type === 'CNAME') && <p className={styles.note}>{messages.noAddress}</p>}
      {host.startsWith('*.') && <p className={styles.note}>{messages.wildcard}</p>}
      <CopyButton
        text={messages.instructions(host, records)}
        label={messages.copyAll}
        success={messages.copied}
        isWordShown
      />
    </>
  );
}
