import type { Principal } from '../../platform/http/authentication';
import { requireSite, requireSiteScope } from '../../platform/http/authorization';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import type { PublicationsService } from './publications.service';
import type { OwnerKind } from './site-version.entity';
import { PUBLISHING_DATABASE_MS } from './sites.routes';
import {
  changesResponse,
  contentParams,
  previewBody,
  publishedResponse,
  versionParams,
  versionResponse,
} from './sites.schema';
import type { SitesService } from './sites.service';

const tag = 'Versões';

/** A token with the scope `deploy` publishes its own site only; another one needs the scope of the site's kind. */
function requirePublisher(principal: Principal, { kind, id }: { kind: OwnerKind; id: string }): void {
  if (principal.token?.scopes.includes('deploy')) requireSite(principal, { type: kind, id });
  else requireSiteScope(principal, kind, 'operator', 'write');
}

interface VersionServices {
  sites: SitesService;
  publications: PublicationsService;
}

/** The calls at a version, of any site (contract §8). */
export const versionEndpoints = ({ sites, publications }: VersionServices): Endpoint[] => [
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
