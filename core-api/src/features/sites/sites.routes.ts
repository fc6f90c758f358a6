import { z } from 'zod';
import type { ChangeContext } from '../../platform/database/database';
import { RuleError } from '../../platform/errors/rule-error';
import { type Role, type SiteType, siteTypes } from '../../platform/http/access/access';
import type { Principal } from '../../platform/http/access/authentication';
import { requireSite, requireSiteScope, siteScopes } from '../../platform/http/access/authorization';
import { endpoint, publicEndpoint, type UploadedBody, withTag } from '../../platform/http/endpoint';
import { httpMessages } from '../../platform/http/http.messages';
import { sitePaths } from '../../platform/http/site-paths';
import type { PackageType } from './package/extract';
import type { PublicationsService } from './publications.service';
import * as schemas from './sites.schema';
import type { OwnerKey, SitesService } from './sites.service';
import type { UploadsService } from './uploads.service';

const PACKAGE_TYPES: Record<string, PackageType> = {
  'application/zip': 'zip',
  'application/gzip': 'gzip',
  'application/json': 'json',
};

const packageMediaTypes = Object.keys(PACKAGE_TYPES);

const toPackage = ({ mediaType, body }: UploadedBody) => ({ type: PACKAGE_TYPES[mediaType] ?? 'json', body });

/**
 * Limit of the time for which a publication or an activation waits for the database, ms. A large package needs many
 * statements. An activation asks four times a second, for up to 60 s, whether other machines still lack the files.
 */
const PUBLISHING_DATABASE_MS = 60_000;

const publishOptions = {
  databaseMs: PUBLISHING_DATABASE_MS,
  query: schemas.publishQuery,
  upload: packageMediaTypes,
  status: 201,
  response: schemas.publishedResponse,
  errorStatuses: [404, 409, 413, 507],
} as const;

interface SiteServices {
  sites: SitesService;
  publications: PublicationsService;
  uploads: UploadsService;
}

function ownerEndpoints({ sites, publications, uploads }: SiteServices, kind: SiteType) {
  const { path, params, access } = sitePaths[kind];
  const scope = siteScopes[kind];
  return [
    endpoint(`POST ${path}/versions`, {
      ...publishOptions,
      access: { role: 'operator', scope: `${scope}:write`, ...access, deploy: true },
      summary: 'Publica um pacote: zip, tar.gz, ou a lista dos arquivos, que são enviados um a um',
      params,
      run: async (call) => {
        const owner = await sites.getOwnerByPath(kind, call);
        requireSite(call.principal, { type: kind, id: owner.id });
        return publications.publish(call.context, owner, toPackage(call.upload), call.query);
      },
    }),
    endpoint(`GET ${path}/versions`, {
      access: { role: 'viewer', scope: `${scope}:read`, ...access, deploy: true },
      summary: 'As versões de um site, da mais nova à mais antiga',
      params,
      response: z.array(schemas.versionResponse),
      run: async (call) => {
        const owner = await sites.getOwnerByPath(kind, call);
        requireSite(call.principal, { type: kind, id: owner.id });
        return sites.list(owner);
      },
    }),
    endpoint(`POST ${path}/uploads`, {
      access: { role: 'operator', scope: `${scope}:write`, ...access, personOnly: true },
      summary: 'Dá um endereço que recebe uma publicação sem token, por uma hora',
      params,
      body: schemas.uploadBody,
      example: { activate: true, message: 'Cardápio de inverno' },
      status: 201,
      response: schemas.uploadResponse,
      errorStatuses: [409],
      noStore: true,
      run: async (call) => uploads.create(await sites.getOwnerByPath(kind, call), call.principal, call.body),
    }),
  ];
}

/** A token with the scope `deploy` publishes to its own site only. Other tokens need the scope of the kind of site. */
function requirePublisher(principal: Principal, { kind, id }: { kind: SiteType; id: string }): void {
  if (principal.token?.scopes.includes('deploy')) requireSite(principal, { type: kind, id });
  else requireSiteScope(principal, kind, 'operator', 'write');
}

/** The calls that send the files of a version one by one (contract §8). */
const contentEndpoints = ({ sites, publications }: SiteServices) => [
  endpoint('PUT /versions/:id/content/:sha256', {
    access: { role: 'operator', scope: null, project: true, deploy: true },
    summary: 'Envia um arquivo de uma versão',
    params: schemas.contentParams,
    upload: ['*/*'],
    errorStatuses: [400, 409, 413, 507],
    run: async ({ principal, context, params: { id, sha256 }, upload }) => {
      requirePublisher(principal, await sites.getOwnerOfVersion(id, context));
      await publications.receiveContent(id, sha256, upload.body);
    },
  }),
  endpoint('POST /versions/:id/complete', {
    access: { role: 'operator', scope: null, project: true, deploy: true },
    summary: 'Conclui uma versão cujos arquivos foram enviados',
    response: schemas.publishedResponse,
    errorStatuses: [400, 409, 507],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: async ({ principal, context, params: { id } }) => {
      const owner = await sites.getOwnerOfVersion(id, context);
      requirePublisher(principal, owner);
      return publications.complete(context, owner, id);
    },
  }),
];

/** The calls for a version of any site (contract §8). */
function versionEndpoints({ sites }: SiteServices) {
  /** Finds the site of a version and checks the scope. @throws RuleError notFound, forbidden */
  const requireOwner = async (
    { principal, context, params: { id } }: { principal: Principal; context: ChangeContext; params: { id: string } },
    role: Role,
    action: 'read' | 'write' | 'delete',
  ) => {
    const owner = await sites.getOwnerOfVersion(id, context);
    requireSiteScope(principal, owner.kind, role, action);
    return owner;
  };
  return [
    endpoint('POST /versions/:id/activate', {
      access: { role: 'operator', scope: null, project: true },
      summary: 'Coloca uma versão no ar; também o caminho de volta',
      response: schemas.versionResponse,
      errorStatuses: [409],
      databaseMs: PUBLISHING_DATABASE_MS,
      run: async (call) => sites.activate(call.context, await requireOwner(call, 'operator', 'write'), call.params.id),
    }),
    endpoint('GET /versions/:id/changes', {
      access: { role: 'viewer', scope: null, project: true },
      summary: 'Os arquivos em que uma versão difere da anterior',
      response: schemas.changesResponse,
      errorStatuses: [409],
      run: async (call) => {
        await requireOwner(call, 'viewer', 'read');
        return sites.findChanges(call.params.id);
      },
    }),
    endpoint('PUT /versions/:id/preview', {
      access: { role: 'operator', scope: null, project: true },
      summary: 'Altera a prévia de uma versão',
      body: schemas.previewBody,
      example: { expiresAt: '2026-02-01T12:00:00.000Z', pinned: true },
      response: schemas.versionResponse,
      run: async (call) => {
        await requireOwner(call, 'operator', 'write');
        return sites.setPreview(call.context, call.params.id, call.body);
      },
    }),
    endpoint('DELETE /versions/:id', {
      access: { role: 'operator', scope: null, project: true },
      summary: 'Remove uma versão que não está no ar',
      errorStatuses: [409],
      run: async (call) => sites.remove(call.context, await requireOwner(call, 'operator', 'delete'), call.params.id),
    }),
  ];
}

/** The calls at an upload URL, whose secret is their only credential (contract §8). */
const uploadEndpoints = ({ uploads }: SiteServices) => [
  publicEndpoint('POST /uploads/:upload', {
    summary: 'Publica um pacote por um endereço de envio, uma vez',
    params: schemas.uploadParams,
    upload: packageMediaTypes,
    status: 201,
    response: schemas.publishedResponse,
    errorStatuses: [400, 409, 413, 507],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: ({ params, requestId, clientAddress: address, upload }) =>
      uploads.publish(params.upload, { requestId, address }, toPackage(upload)),
  }),
  publicEndpoint('PUT /uploads/:upload/content/:sha256', {
    summary: 'Envia um arquivo de uma lista',
    params: schemas.uploadContentParams,
    upload: ['*/*'],
    errorStatuses: [400, 409, 413, 507],
    run: ({ params, requestId, clientAddress: address, upload }) =>
      uploads.receiveContent(params.upload, { requestId, address }, params.sha256, upload.body),
  }),
  publicEndpoint('POST /uploads/:upload/complete', {
    summary: 'Conclui a versão cujos arquivos foram enviados',
    params: schemas.uploadParams,
    response: schemas.publishedResponse,
    errorStatuses: [400, 409, 507],
    databaseMs: PUBLISHING_DATABASE_MS,
    run: ({ params, requestId, clientAddress: address }) => uploads.complete(params.upload, { requestId, address }),
  }),
];

/** The site of a token with the scope `deploy`. @throws RuleError forbidden */
function getTokenSite({ token }: Principal): OwnerKey {
  if (!token?.site) throw new RuleError('forbidden', httpMessages.deployToken);
  return { kind: token.site.type, key: token.site.id };
}

export const siteEndpoints = (services: SiteServices) =>
  withTag('Versões', [
    ...siteTypes.flatMap((kind) => ownerEndpoints(services, kind)),
    endpoint('POST /deploy', {
      ...publishOptions,
      access: { role: 'operator', scope: 'deploy', project: true, deploy: true },
      summary: 'Publica um pacote no site do token',
      run: async ({ principal, context, query, upload }) => {
        const owner = await services.sites.getOwner(getTokenSite(principal), context);
        return services.publications.publish(context, owner, toPackage(upload), query);
      },
    }),
    publicEndpoint('GET /deploy.mjs', {
      summary: 'Programa que publica uma pasta e envia só o que falta',
      response: z.string(),
      contentType: 'text/javascript',
      run: async () => services.sites.createDeployScript(),
    }),
    ...contentEndpoints(services),
    ...versionEndpoints(services),
    ...uploadEndpoints(services),
  ]);
