import { client } from '../../lib/client';
import { HostUptimesDocument } from '../../lib/generated/shared';
import { Uptimes } from '../../lib/uptimes';
import { UptimeBar } from '../../ui/list/UptimeBar';

const uptimes = new Uptimes(async (tenants) => {
  const options = { query: HostUptimesDocument, variables: { tenants }, fetchPolicy: 'no-cache' } as const;
  return (await client.query(options)).data?.uptimes.uptimes ?? [];
});

/** The availability of a row; loaded after the list. */
export default function TenantUptime({ id }: { id: string }) {
  return <UptimeBar uptimes={uptimes} id={id} />;
}
