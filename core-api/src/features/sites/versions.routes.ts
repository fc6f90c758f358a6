import type { ChangeContext } from '../../platform/database/database';
import type { Role, SiteType } from '../../platform/http/access';
import type { Principal } from '../../platform/http/authentication';
import { requireSite, requireSiteScope } from '../../platform/http/authorization';
import { endpoint, tagged } from '../../platform/http/endpoint';
import type { PublicationsService } from './publications.service';
import { PUBLISHING_DATABASE_MS } from './sites.routes';
import { changesResponse, contentParams, previewBody, publishedResponse, versionResponse } from './sites.schema';
import type { SitesService } from './sites.service';

/** A token with the scope `deploy` publishes its own site only; another one needs the scope of the site's kind. */
function requirePublisher(principal: Principal, { kind, id }: { kind: SiteType; id: string }): void {
  if (principal.token?.scopes.includes('deploy')) requireSite(principal, { type: kind, id });
  else requireSiteScope(principal, kind, 'operator', 'write');
}

interface VersionServices {
  sites: SitesService;
  publications: PublicationsService;
}

/** The calls at a version, of any site (contract §8). */
export const versionEndpoints = ({ sites, publications }: VersionServices) => {
  /** @returns the site of a version. @throws RuleError notFound, forbidden */
  const ownerFor = async (
    { principal, context, params: { id } }: { principal: Principal; context: ChangeContext; params: { id: string } },
    role: Role,
    action: 'read' | 'write' | 'delete',
  ) => {
    const owner = await sites.ownerOfVersion(id, context);
    requireSiteScope(principal, owner.kind, role, action);
    return owner;
  };
  return tagged('Versões', [
    endpoint('PUT /versions/:id/content/:sha256', {
      access: { role: 'operator', scope: null, project: true, deploy: true },
      summary: 'Envia um arquivo de uma versão',
      params: contentParams,
      upload: ['*/*'],
      errorStatuses: [400, 409, 413, 507],
      run: async ({ principal, context, params: { id, sha256 }, upload }) => {
        const owner = await sites.ownerOfVersion(id, context);
        requirePublisher(principal, owner);
        await publications.receiveContent(id, sha256, upload.body);
      },
    }),
    endpoint('POST /versions/:id/complete', {
      access: { role: 'operator', scope: null, project: true, deploy: true },
      summary: 'Conclui uma versão cujos arquivos foram enviados',
      response: publishedResponse,
      errorStatuses: [400, 409, 507],
      databaseMs: PUBLISHING_DATABASE_MS,
      run: async ({ principal, context, params: { id } }) => {
        const owner = await sites.ownerOfVersion(id, context);
        requirePublisher(principal, owner);
        return publications.complete(context, owner, id);
      },
    }),
    endpoint('POST /versions/:id/activate', {
      access: { role: 'operator', scope: null, project: true },
      summary: 'Coloca uma versão no ar; também o caminho de volta',
      response: versionResponse,
      errorStatuses: [409],
      databaseMs: PUBLISHING_DATABASE_MS,
      run: async (call) => sites.activate(call.context, await ownerFor(call, 'operator', 'write'), call.params.id),
    }),
    endpoint('GET /versions/:id/changes', {
      access: { role: 'viewer', scope: null, project: true },
      summary: 'Os arquivos em que uma versão difere da anterior',
      response: changesResponse,
      errorStatuses: [409],
      run: async (call) => {
        await ownerFor(call, 'viewer', 'read');
        return sites.changes(call.params.id);
      },
    }),
    endpoint('PUT /versions/:id/preview', {
      access: { role: 'operator', scope: null, project: true },
      summary: 'Altera a prévia de uma versão',
      body: previewBody,
      example: { expiresAt: '2026-02-01T12:00:00.000Z', pinned: true },
      response: versionResponse,
      run: async (call) => {
        await ownerFor(call, 'operator', 'write');
        return sites.setPreview(call.context, call.params.id, call.body);
      },
    }),
    endpoint('DELETE /versions/:id', {
      access: { role: 'operator', scope: null, project: true },
      summary: 'Remove uma versão que não está no ar',
      errorStatuses: [409],
      run: async (call) => sites.remove(call.context, await ownerFor(call, 'operator', 'delete'), call.params.id),
    }),
  ]);
};
