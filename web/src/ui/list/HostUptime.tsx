import { client } from '../../lib/client';
import { HostUptimesDocument } from '../../lib/generated/shared';
import { Uptimes } from '../../lib/uptimes';
import { UptimeBar } from './UptimeBar';

interface HostUptimeProps {
  kind: 'subdomains' | 'tenants';
  /** The label of a subdomain, the id of a tenant. */
  id: string;
}

const uptimesOf = (kind: HostUptimeProps['kind']) =>
  new Uptimes(async (ids) => {
    const options = { query: HostUptimesDocument, variables: { [kind]: ids }, fetchPolicy: 'no-cache' } as const;
    return (await client.query(options)).data?.uptimes.uptimes ?? [];
  });
const uptimes = { subdomains: uptimesOf('subdomains'), tenants: uptimesOf('tenants') };

/** The availability of a row; read after the list. */
export const HostUptime = ({ kind, id }: HostUptimeProps) => <UptimeBar uptimes={uptimes[kind]} id={id} />;
