import { skipToken } from '@apollo/client/react';
import type { SiteInput } from '../../generated/graph';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { getSiteHost, getSiteUrl } from '../../lib/hosts/host';
import { QueryState } from '../../ui/feedback/QueryState';
import { useHostRulesQuery, useRuledTenantQuery } from './generated/host-rules';
import { hostRulesMessages as messages } from './host-rules.messages';
import { RulesForm } from './RulesForm';

/** The tab `Regras`: who may open a site, redirects, headers, limits, maintenance and branding. */
export default function HostRulesTab({ site }: { site: SiteInput }) {
  const { data: tenantData } = useRuledTenantQuery(
    site.type === 'tenant' ? { variables: { id: site.key } } : skipToken,
  );
  const query = useHostRulesQuery({ variables: { site }, fetchPolicy: 'network-only' });
  const { data, state } = useQueryState(query, { failureMessage: messages.failure.load });
  const label = site.type === 'subdomain' ? site.key : tenantData?.tenant?.subdomain;
  const url = label ? `${getSiteUrl(getSiteHost(label))}/` : null;
  return (
    <QueryState {...state}>
      {data && <RulesForm key={site.key} site={site} rules={data.hostPolicy} url={url} />}
    </QueryState>
  );
}
