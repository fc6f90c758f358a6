import { skipToken } from '@apollo/client/react';
import { useMemo } from 'react';
import { siteHost, siteUrl } from '../../lib/host';
import { parseSite } from '../../lib/siteRef';
import { useQueryState } from '../../lib/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useHostRulesQuery, useRuledTenantQuery } from './generated/host-rules';
import { hostRulesMessages as messages } from './host-rules.messages';
import { RulesForm } from './RulesForm';

/**
 * The tab `Regras`: who may open a site, redirects, headers, limits, maintenance and branding.
 * @param site the label of a subdomain, `tenant:{id}` or `project:{id}`
 */
export default function HostRulesTab({ site }: { site: string }) {
  const key = useMemo(() => parseSite(site), [site]);
  const { data: found } = useRuledTenantQuery(key.type === 'tenant' ? { variables: { id: key.key } } : skipToken);
  const query = useHostRulesQuery({ variables: { site: key }, fetchPolicy: 'network-only' });
  const { data, state } = useQueryState(query, { fallback: messages.failure.load });
  const label = key.type === 'subdomain' ? key.key : found?.tenant?.subdomain;
  const url = label ? `${siteUrl(siteHost(label))}/` : null;
  return (
    <QueryState {...state}>{data && <RulesForm key={site} site={key} rules={data.hostPolicy} url={url} />}</QueryState>
  );
}
