import { chakra, Flex, Grid } from '@chakra-ui/react';
import type { DnsRecord } from '../../lib/userError';
import { CopyButton } from '../../ui/list/CopyButton';
import { tenantsMessages } from './tenants.messages';

const messages = tenantsMessages.domain.proof;

const Part = ({ label, copy, value }: { label: string; copy: string; value: string }) => (
  <div>
    <chakra.dt textStyle="xs" color="fg.muted">
      {label}
    </chakra.dt>
    <Flex as="dd" align="center" gap="1.5" overflowWrap="anywhere">
      {value}
      <CopyButton text={value} label={copy} />
    </Flex>
  </div>
);

/** The TXT record that a refused claim of a domain asks for, to be copied. */
export function DomainProof({ record: { type, name, value } }: { record: DnsRecord }) {
  return (
    <section aria-label={messages.title}>
      <Grid as="dl" templateColumns="minmax(0, 1fr)" gap="2" layerStyle="panel" py="3" px="3.5" bg="bg.subtle">
        <Part label={`${messages.name} (${type})`} copy={messages.copyName} value={name} />
        <Part label={messages.value} copy={messages.copyValue} value={value} />
      </Grid>
    </section>
  );
}
