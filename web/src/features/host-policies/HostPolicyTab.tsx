import { skipToken } from '@apollo/client/react';
import type { SiteInput } from '../../generated/graph';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { getSiteHost, getSiteUrl } from '../../lib/hosts/host';
import { QueryState } from '../../ui/feedback/QueryState';
import { useHostPolicyQuery, useTenantSubdomainQuery } from './generated/host-policies';
import { hostPoliciesMessages as messages } from './host-policies.messages';
import { PolicyForm } from './PolicyForm';

/** The tab `Regras`: who may open a site, redirects, headers, limits, maintenance and branding. */
export default function HostPolicyTab({ site }: { site: SiteInput }) {
  const { data: tenantData } = useTenantSubdomainQuery(
    site.type === 'tenant' ? { variables: { id: site.key } } : skipToken,
  );
  const query = useHostPolicyQuery({ variables: { site }, fetchPolicy: 'network-only' });
  const { data, state } = useQueryState(query, { failureMessage: messages.failure.load });
  const label = site.type === 'subdomain' ? site.key : tenantData?.tenant?.subdomain;
  const url = label ? `${getSiteUrl(getSiteHost(label))}/` : null;
  return (
    <QueryState {...state}>
      {data && <PolicyForm key={site.key} site={site} policy={data.hostPolicy} url={url} />}
    </QueryState>
  );
}
