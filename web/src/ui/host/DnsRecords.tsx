import { chakra } from '@chakra-ui/react';
import type { DnsRecord } from '../../lib/graphql/userError';
import { CopyableText } from '../row/CopyableText';
import { CopyButton } from '../row/CopyButton';
import { dnsRecordsMessages as messages } from './dnsRecords.messages';

/** Below 480 px each record is a block, and only screen readers get the column headers. */
const tableCss = {
  '& thead': { base: { position: 'absolute', clipPath: 'inset(50%)' }, sm: { position: 'static', clipPath: 'none' } },
  '& tr': {
    display: { base: 'grid', sm: 'table-row' },
    paddingBlock: '1.5',
    borderBottomWidth: '1px',
    borderColor: 'border',
  },
  '& th, & td': { padding: { base: '2px 0', sm: '6px 12px 6px 0' }, textAlign: 'start', overflowWrap: 'anywhere' },
  '& th': { color: 'fg.muted', fontWeight: 'medium' },
};

interface DnsRecordsProps {
  host: string;
  /** The host in Unicode. DNS providers expect the punycode of `host`, which is copied. */
  displayHost?: string;
  records: readonly DnsRecord[];
}

/** DNS records that the owner of a domain creates, one row each, and a button that copies them as instructions. */
export function DnsRecords({ host, displayHost = host, records: knownRecords }: DnsRecordsProps) {
  // Without `SERVER_IP` the server does not know the addresses of the domain itself.
  const isAddressMissing = knownRecords.every(({ type }) => type === 'CNAME');
  const records = isAddressMissing
    ? [{ type: 'A', name: host, value: messages.publicAddress }, ...knownRecords]
    : knownRecords;
  return (
    <>
      <chakra.table width="100%" my="2" css={tableCss} aria-label={messages.title(displayHost)}>
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
                {displayHost !== host && <small>{name.replace(host, displayHost)}</small>}
              </td>
              <td>
                {value === messages.publicAddress ? (
                  value
                ) : (
                  <CopyableText text={value} label={messages.copyValue(value)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </chakra.table>
      {isAddressMissing && (
        <chakra.p mb="2" color="fg.muted">
          {messages.noAddress}
        </chakra.p>
      )}
      {host.startsWith('*.') && (
        <chakra.p mb="2" color="fg.muted">
          {messages.wildcard}
        </chakra.p>
      )}
      <CopyButton
        text={messages.instructions(displayHost, records)}
        label={messages.copyAll}
        success={messages.copied}
        isWordShown
      />
    </>
  );
}
