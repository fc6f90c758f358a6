import { z } from 'zod';
import { RuleError } from '../../platform/errors';
import { requireSite, siteScopes } from '../../platform/http/authorization';
import { type Endpoint, endpoint, publicEndpoint } from '../../platform/http/endpoint';
import { idParams, subdomainParams } from '../../platform/http/fields';
import { httpMessages } from '../../platform/http/http.messages';
import { packageMediaTypes, packageTypeOf } from './package-types';
import type { PublicationsService } from './publications.service';
import type { OwnerKind } from './site-version.entity';
import { publishedResponse, publishQuery, uploadBody, uploadResponse, versionResponse } from './sites.schema';
import type { OwnerKey, SitesService } from './sites.service';
import type { UploadsService } from './uploads.service';

const tag = 'Versões';

/**
 * An activation asks for the machines four times a second, for up to 60 s, and a large package needs many statements. The
 * budget counts the time that these calls wait for the database.
 */
export const PUBLISHING_DATABASE_MS = 60_000;

const publishing = {
  tag,
  databaseMs: PUBLISHING_DATABASE_MS,
  query: publishQuery,
  upload: packageMediaTypes,
  status: 201,
  response: publishedResponse,
  errorStatuses: [400, 403, 404, 409, 413, 507],
} as const;

interface SiteServices {
  sites: SitesService;
  publications: PublicationsService;
  uploads: UploadsService;
}

/** Versions of one kind of site. */
function ownerEndpoints<Params extends z.ZodType>(
  { sites, publications, uploads }: SiteServices,
  kind: OwnerKind,
  path: string,
  params: Params,
  keyOf: (params: z.output<Params>) => string,
): Endpoint[] {
  const limited = kind === 'subdomain' ? {} : { project: true as const };
  return [
    endpoint({
      ...publishing,
      method: 'post',
      path: `${path}/versions`,
      access: { role: 'operator', scope: `${siteScopes[kind]}:write`, ...limited, deploy: true },
      summary: 'Publica um pacote: zip, tar.gz, ou a lista dos arquivos, que são enviados um a um',
      params,
      run: async ({ principal, context, params: given, query, upload }) => {
        const owner = await sites.owner({ kind, key: keyOf(given) }, context);
        requireSite(principal, { type: kind, id: owner.id });
        return publications.publish(
          context,
          owner,
          { type: packageTypeOf(upload.mediaType), body: upload.body },
          query,
        );
      },
    }),
    endpoint({
      method: 'get',
      path: `${path}/versions`,
      access: { role: 'viewer', scope: `${siteScopes[kind]}:read`, ...limited, deploy: true },
      tag,
      summary: 'As versões de um site, da mais nova à mais antiga',
      params,
      status: 200,
      response: z.array(versionResponse),
      errorStatuses: [403],
      run: async ({ principal, context, params: given }) => {
        const owner = await sites.owner({ kind, key: keyOf(given) }, context);
        requireSite(principal, { type: kind, id: owner.id });
        return sites.list(owner);
      },
    }),
    endpoint({
      method: 'post',
      path: `${path}/uploads`,
      access: { role: 'operator', scope: `${siteScopes[kind]}:write`, ...limited, personOnly: true },
      tag,
      summary: 'Dá um endereço que recebe uma publicação sem token, por uma hora',
      params,
      body: uploadBody,
      example: { activate: true, message: 'Cardápio de inverno' },
      status: 201,
      response: uploadResponse,
      errorStatuses: [],
      noStore: true,
      run: async ({ principal, context, params: given, body }) =>
        uploads.create(await sites.owner({ kind, key: keyOf(given) }, context), principal, body),
    }),
  ];
}

/** The site of a token with the scope `deploy`. @throws RuleError forbidden */
function siteOfToken({ token }: { token: { site: { type: OwnerKind; id: string } | null } | null }): OwnerKey {
  if (!token?.site) throw new RuleError('forbidden', httpMessages.deployToken);
  return { kind: token.site.type, key: token.site.id };
}

export const siteEndpoints = ({ sites, publications, uploads }: SiteServices): Endpoint[] => [
  ...ownerEndpoints(
    { sites, publications, uploads },
    'subdomain',
    '/subdomains/:subdomain',
    subdomainParams,
    ({ subdomain }) => subdomain,
  ),
  ...ownerEndpoints({ sites, publications, uploads }, 'project', '/projects/:id', idParams, ({ id }) => id),
  ...ownerEndpoints({ sites, publications, uploads }, 'tenant', '/tenants/:id', idParams, ({ id }) => id),
  endpoint({
    ...publishing,
    method: 'post',
    path: '/deploy',
    access: { role: 'operator', scope: 'deploy', project: true, deploy: true },
    summary: 'Publica um pacote no site do token',
    run: async ({ principal, context, query, upload }) => {
      const owner = await sites.owner(siteOfToken(principal), context);
      return publications.publish(context, owner, { type: packageTypeOf(upload.mediaType), body: upload.body }, query);
    },
  }),
  publicEndpoint({
    method: 'get',
    path: '/deploy.mjs',
    tag,
    summary: 'Programa que publica uma pasta e envia só o que falta',
    status: 200,
    response: z.string(),
    contentType: 'text/javascript',
    errorStatuses: [],
    run: async () => sites.deployScript(),
  }),
];
