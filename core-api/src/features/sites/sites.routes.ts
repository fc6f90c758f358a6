import { z } from 'zod';
import { RuleError } from '../../platform/errors';
import type { Principal } from '../../platform/http/authentication';
import { requireSite, requireSiteScope, siteScopes } from '../../platform/http/authorization';
import { type Endpoint, endpoint, noContent, publicEndpoint } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import { packages, packageTypeOf } from './package-types';
import type { PublicationsService } from './publications.service';
import type { OwnerKind } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';
import {
  changesResponse,
  contentParams,
  previewBody,
  publishedResponse,
  publishQuery,
  uploadBody,
  uploadResponse,
  versionParams,
  versionResponse,
} from './sites.schema';
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
  upload: packages,
  status: 201,
  response: publishedResponse,
  errorStatuses: [400, 403, 404, 409, 413, 507],
} as const;

const subdomainParams = z.object({
  subdomain: z
    .string()
    .max(63)
    .refine((name) => !name.includes('\0')),
});

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
  if (!token?.site) throw new RuleError('forbidden', messages.noSite);
  return { kind: token.site.type, key: token.site.id };
}

/** A token with the scope `deploy` publishes its own site only; another one needs the scope of the site's kind. */
function requirePublisher(principal: Principal, { kind, id }: { kind: OwnerKind; id: string }): void {
  if (principal.token?.scopes.includes('deploy')) requireSite(principal, { type: kind, id });
  else requireSiteScope(principal, kind, 'operator', 'write');
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
  endpoint({
    method: 'put',
    path: '/versions/:id/content/:sha256',
    access: { role: 'operator', scope: null, project: true, deploy: true },
    tag,
    summary: 'Envia um arquivo de uma versão',
    params: contentParams,
    upload: ['*/*'],
    status: 204,
    response: noContent,
    errorStatuses: [400, 403, 404, 409, 413, 507],
    run: async ({ principal, context, params: { id, sha256 }, upload }) => {
      const owner = await sites.ownerOfVersion(id, context);
      requirePublisher(principal, owner);
      await publications.receiveContent(id, sha256, upload.body);
    },
  }),
  endpoint({
    method: 'post',
    path: '/versions/:id/complete',
    access: { role: 'operator', scope: null, project: true, deploy: true },
    tag,
    summary: 'Conclui uma versão cujos arquivos foram enviados',
    params: versionParams,
    status: 200,
    response: publishedResponse,
    errorStatuses: [400, 403, 404, 409, 507],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: async ({ principal, context, params: { id } }) => {
      const owner = await sites.ownerOfVersion(id, context);
      requirePublisher(principal, owner);
      return publications.complete(context, owner, id);
    },
  }),
  endpoint({
    method: 'post',
    path: '/versions/:id/activate',
    access: { role: 'operator', scope: null, project: true },
    tag,
    summary: 'Coloca uma versão no ar; também o caminho de volta',
    params: versionParams,
    status: 200,
    response: versionResponse,
    errorStatuses: [404, 409],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: async ({ principal, context, params: { id } }) => {
      const owner = await sites.ownerOfVersion(id, context);
      requireSiteScope(principal, owner.kind, 'operator', 'write');
      return sites.activate(context, owner, id);
    },
  }),
  endpoint({
    method: 'get',
    path: '/versions/:id/changes',
    access: { role: 'viewer', scope: null, project: true },
    tag,
    summary: 'Os arquivos em que uma versão difere da anterior',
    params: versionParams,
    status: 200,
    response: changesResponse,
    errorStatuses: [404, 409],
    run: async ({ principal, context, params: { id } }) => {
      const { kind } = await sites.ownerOfVersion(id, context);
      requireSiteScope(principal, kind, 'viewer', 'read');
      return sites.changes(id);
    },
  }),
  endpoint({
    method: 'put',
    path: '/versions/:id/preview',
    access: { role: 'operator', scope: null, project: true },
    tag,
    summary: 'Altera a prévia de uma versão',
    params: versionParams,
    body: previewBody,
    example: { expiresAt: '2026-02-01T12:00:00.000Z', pinned: true },
    status: 200,
    response: versionResponse,
    errorStatuses: [404],
    run: async ({ principal, context, params: { id }, body }) => {
      const { kind } = await sites.ownerOfVersion(id, context);
      requireSiteScope(principal, kind, 'operator', 'write');
      return sites.setPreview(context, id, body);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/versions/:id',
    access: { role: 'operator', scope: null, project: true },
    tag,
    summary: 'Remove uma versão que não está no ar',
    params: versionParams,
    status: 204,
    response: noContent,
    errorStatuses: [404, 409],
    run: async ({ principal, context, params: { id } }) => {
      const owner = await sites.ownerOfVersion(id, context);
      requireSiteScope(principal, owner.kind, 'operator', 'delete');
      return sites.remove(context, owner, id);
    },
  }),
];
