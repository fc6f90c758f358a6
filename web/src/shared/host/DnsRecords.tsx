import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { DnsRecord } from '../../lib/userError';
import { CopyableText } from '../../ui/cells/CopyableText';
import { CopyButton } from '../../ui/cells/CopyButton';
import { dnsRecordsMessages as messages } from './dnsRecords.messages';

const cellStyle = {
  padding: { base: '2px 0', sm: '6px 12px 6px 0' },
  textAlign: 'start',
  overflowWrap: 'anywhere',
} as const;
/** Below 480 px each cell shows its column's label before the value. */
const TableCell = chakra('td', {
  base: {
    ...cellStyle,
    display: { base: 'grid', sm: 'table-cell' },
    gridTemplateColumns: '56px 1fr',
    _before: { content: 'attr(data-label)', hideFrom: 'sm', color: 'fg.muted' },
  },
});
const Header = chakra('th', { base: { ...cellStyle, color: 'fg.muted', fontWeight: 'medium' } });
/** Below 480 px each record is a block, and only screen readers get the column headers. */
const Row = chakra('tr', {
  base: { display: { base: 'grid', sm: 'table-row' }, py: '1.5', borderBottomWidth: '1px', borderColor: 'border' },
});

const Cell = ({ label, children }: { label: string; children: ReactNode }) => (
  <TableCell data-label={label}>
    <div>{children}</div>
  </TableCell>
);

interface DnsRecordsProps {
  host: string;
  /** The host in Unicode, for display. The copied names are punycode, as DNS providers expect. */
  displayHost?: string;
  records: readonly DnsRecord[];
}

/** DNS records that the owner of a domain creates, one row each, and a button that copies them as instructions. */
export function DnsRecords({ host, displayHost = host, records: knownRecords }: DnsRecordsProps) {
  // Without `SERVER_IP` the server knows no address, so its list has no A and AAAA records.
  const isAddressMissing = knownRecords.every(({ type }) => type === 'CNAME');
  const records = isAddressMissing
    ? [{ type: 'A', name: host, value: messages.publicAddress }, ...knownRecords]
    : knownRecords;
  return (
    <>
      <chakra.table width="100%" my="2" aria-label={messages.title(displayHost)}>
        <chakra.thead position={{ base: 'absolute', sm: 'static' }} clipPath={{ base: 'inset(50%)', sm: 'none' }}>
          <Row>
            <Header scope="col">{messages.type}</Header>
            <Header scope="col">{messages.name}</Header>
            <Header scope="col">{messages.value}</Header>
          </Row>
        </chakra.thead>
        <tbody>
          {records.map(({ type, name, value }) => (
            <Row key={`${type} ${name} ${value}`}>
              <Cell label={messages.type}>{type}</Cell>
              <Cell label={messages.name}>
                <CopyableText text={name} label={messages.copyName(name)} />
                {displayHost !== host && <small>{name.replace(host, displayHost)}</small>}
              </Cell>
              <Cell label={messages.value}>
                {isAddressMissing && type === 'A' ? (
                  value
                ) : (
                  <CopyableText text={value} label={messages.copyValue(value)} />
                )}
              </Cell>
            </Row>
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
        isLabelShown
      />
    </>
  );
}
