import { z } from 'zod';
import type { ChangeContext } from '../../platform/database/database';
import { siteScopes } from '../../platform/http/authorization';
import { endpoint, withTag } from '../../platform/http/endpoint';
import { getSiteKey, sitePaths } from '../../platform/http/site-paths';
import type { SitesService } from '../sites';
import * as schemas from './domains.schema';
import type { DomainOwner, SiteDomainsService } from './site-domains.service';

const host = z
  .string()
  .max(255)
  .refine((name) => !name.includes('\0'));

function domainEndpoints(
  sites: Pick<SitesService, 'findOwner'>,
  domains: SiteDomainsService,
  kind: DomainOwner['kind'],
) {
  const { path, params, limit } = sitePaths[kind];
  const scope = siteScopes[kind];
  const findOwner = async (key: string, context: ChangeContext): Promise<DomainOwner> => {
    const { id, label } = await sites.findOwner({ kind, key }, context);
    return { kind, id, label };
  };
  return [
    endpoint(`GET ${path}/domains`, {
      access: { role: 'viewer', scope: `${scope}:read`, ...limit },
      summary: 'Os domínios de um site, o principal primeiro',
      params,
      response: z.array(schemas.siteDomainResponse),
      run: async ({ context, params: pathParams }) => domains.list(await findOwner(getSiteKey(pathParams), context)),
    }),
    endpoint(`POST ${path}/domains`, {
      access: { role: 'operator', scope: `${scope}:write`, ...limit },
      summary: 'Adiciona um domínio, ou troca o papel de um que o site já tem',
      params,
      body: schemas.siteDomainBody,
      example: { host: 'padariadoze.com.br', role: 'alias' as const },
      status: 201,
      response: schemas.siteDomainResponse,
      errorStatuses: [409],
      run: async ({ context, params: pathParams, body }) =>
        domains.add(context, await findOwner(getSiteKey(pathParams), context), body),
    }),
    endpoint(`DELETE ${path}/domains/:host`, {
      access: { role: 'operator', scope: `${scope}:write`, ...limit },
      summary: 'Remove um domínio de um site',
      params: z.object({ ...params.shape, host }),
      run: async ({ context, params: pathParams }) =>
        domains.remove(context, await findOwner(getSiteKey(pathParams), context), pathParams.host),
    }),
  ];
}

export const siteDomainEndpoints = (sites: Pick<SitesService, 'findOwner'>, domains: SiteDomainsService) =>
  withTag('Domínios', [...domainEndpoints(sites, domains, 'subdomain'), ...domainEndpoints(sites, domains, 'tenant')]);
