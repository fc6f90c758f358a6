import { z } from 'zod';
import { siteScopes } from '../../platform/http/access/authorization';
import { endpoint, withTag } from '../../platform/http/endpoint';
import { sitePaths } from '../../platform/http/site-paths';
import type { SitesService } from '../sites';
import * as schemas from './domains.schema';
import type { DomainOwner, SiteDomainsService } from './site-domains.service';

const host = z
  .string()
  .max(255)
  .refine((name) => !name.includes('\0'));

function domainEndpoints(
  sites: Pick<SitesService, 'getOwnerByPath'>,
  domains: SiteDomainsService,
  kind: DomainOwner['kind'],
) {
  const { path, params, access } = sitePaths[kind];
  const scope = siteScopes[kind];
  return [
    endpoint(`GET ${path}/domains`, {
      access: { role: 'viewer', scope: `${scope}:read`, ...access },
      summary: 'Os domínios de um site, o principal primeiro',
      params,
      response: z.array(schemas.siteDomainResponse),
      run: async (call) => domains.list(await sites.getOwnerByPath(kind, call)),
    }),
    endpoint(`POST ${path}/domains`, {
      access: { role: 'operator', scope: `${scope}:write`, ...access },
      summary: 'Adiciona um domínio, ou troca o papel de um que o site já tem',
      params,
      body: schemas.siteDomainBody,
      example: { host: 'padariadoze.com.br', role: 'alias' as const },
      status: 201,
      response: schemas.siteDomainResponse,
      errorStatuses: [409],
      run: async (call) => domains.add(call.context, await sites.getOwnerByPath(kind, call), call.body),
    }),
    endpoint(`DELETE ${path}/domains/:host`, {
      access: { role: 'operator', scope: `${scope}:write`, ...access },
      summary: 'Remove um domínio de um site',
      params: z.object({ ...params.shape, host }),
      run: async (call) => domains.remove(call.context, await sites.getOwnerByPath(kind, call), call.params.host),
    }),
  ];
}

export const siteDomainEndpoints = (sites: Pick<SitesService, 'getOwnerByPath'>, domains: SiteDomainsService) =>
  withTag('Domínios', [...domainEndpoints(sites, domains, 'subdomain'), ...domainEndpoints(sites, domains, 'tenant')]);
