import { client } from '../../lib/client';
import { HostUptimesDocument } from '../../lib/generated/shared';
import { Uptimes } from '../../lib/uptimes';
import { UptimeBar } from '../../ui/list/UptimeBar';

const uptimes = new Uptimes(async (subdomains) => {
  const options = { query: HostUptimesDocument, variables: { subdomains }, fetchPolicy: 'no-cache' } as const;
  return (await client.query(options)).data?.uptimes.uptimes ?? [];
});

/** The availability of a row; loaded after the list. */
export default function SubdomainUptime({ subdomain }: { subdomain: string }) {
  return <UptimeBar uptimes={uptimes} id={subdomain} />;
}
