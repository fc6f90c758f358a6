import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { idParams, subdomainParams } from '../../platform/http/fields';
import type { SitesService } from '../sites';
import { siteDomainBody, siteDomainResponse } from './domains.schema';
import type { DomainOwner, SiteDomainsService } from './site-domains.service';

const tag = 'Domínios';

const host = z
  .string()
  .max(255)
  .refine((name) => !name.includes('\0'));

/** Domains of one kind of site. */
function domainEndpoints<Params extends z.ZodObject>(
  sites: Pick<SitesService, 'owner'>,
  domains: SiteDomainsService,
  kind: DomainOwner['kind'],
  path: string,
  params: Params,
  keyOf: (params: z.output<Params>) => string,
): Endpoint[] {
  const limited = kind === 'tenant' ? { project: true as const } : {};
  const scope = kind === 'tenant' ? 'tenants' : 'subdomains';
  const ownerOf = async (
    given: z.output<Params>,
    context: Parameters<SitesService['owner']>[1],
  ): Promise<DomainOwner> => {
    const { id, label } = await sites.owner({ kind, key: keyOf(given) }, context);
    return { kind, id, label };
  };
  return [
    endpoint({
      method: 'get',
      path: `${path}/domains`,
      access: { role: 'viewer', scope: `${scope}:read`, ...limited },
      tag,
      summary: 'Os domínios de um site, o principal primeiro',
      params,
      status: 200,
      response: z.array(siteDomainResponse),
      errorStatuses: [],
      run: async ({ context, params: given }) => domains.list(await ownerOf(given, context)),
    }),
    endpoint({
      method: 'post',
      path: `${path}/domains`,
      access: { role: 'operator', scope: `${scope}:write`, ...limited },
      tag,
      summary: 'Adiciona um domínio, ou troca o papel de um que o site já tem',
      params,
      body: siteDomainBody,
      example: { host: 'padariadoze.com.br', role: 'alias' as const },
      status: 201,
      response: siteDomainResponse,
      errorStatuses: [409],
      run: async ({ context, params: given, body }) => domains.add(context, await ownerOf(given, context), body),
    }),
    endpoint({
      method: 'delete',
      path: `${path}/domains/:host`,
      access: { role: 'operator', scope: `${scope}:write`, ...limited },
      tag,
      summary: 'Remove um domínio de um site',
      params: params.extend({ host }),
      status: 204,
      response: noContent,
      errorStatuses: [],
      run: async ({ context, params: given }) => {
        const owner = await ownerOf(given as unknown as z.output<Params>, context);
        return domains.remove(context, owner, String(given.host));
      },
    }),
  ];
}

export const siteDomainEndpoints = (sites: Pick<SitesService, 'owner'>, domains: SiteDomainsService): Endpoint[] => [
  ...domainEndpoints(
    sites,
    domains,
    'subdomain',
    '/subdomains/:subdomain',
    subdomainParams,
    (given) => given.subdomain,
  ),
  ...domainEndpoints(sites, domains, 'tenant', '/tenants/:id', idParams, ({ id }) => id),
];
