import { z } from 'zod';
import { RuleError } from '../../platform/errors';
import { type SiteType, siteTypes } from '../../platform/http/access';
import type { Principal } from '../../platform/http/authentication';
import { requireSite, siteScopes } from '../../platform/http/authorization';
import { endpoint, publicEndpoint, tagged } from '../../platform/http/endpoint';
import { httpMessages } from '../../platform/http/http.messages';
import { siteKeyOf, sitePaths } from '../../platform/http/site-paths';
import { packageMediaTypes, toPackage } from './package-types';
import type { PublicationsService } from './publications.service';
import { publishedResponse, publishQuery, uploadBody, uploadResponse, versionResponse } from './sites.schema';
import type { OwnerKey, SitesService } from './sites.service';
import type { UploadsService } from './uploads.service';

/**
 * An activation asks for the machines four times a second, for up to 60 s, and a large package needs many statements. The
 * budget counts the time that these calls wait for the database.
 */
export const PUBLISHING_DATABASE_MS = 60_000;

const publishing = {
  databaseMs: PUBLISHING_DATABASE_MS,
  query: publishQuery,
  upload: packageMediaTypes,
  status: 201,
  response: publishedResponse,
  errorStatuses: [404, 409, 413, 507],
} as const;

interface SiteServices {
  sites: SitesService;
  publications: PublicationsService;
  uploads: UploadsService;
}

function ownerEndpoints({ sites, publications, uploads }: SiteServices, kind: SiteType) {
  const { path, params, limit } = sitePaths[kind];
  const scope = siteScopes[kind];
  return [
    endpoint(`POST ${path}/versions`, {
      ...publishing,
      access: { role: 'operator', scope: `${scope}:write`, ...limit, deploy: true },
      summary: 'Publica um pacote: zip, tar.gz, ou a lista dos arquivos, que são enviados um a um',
      params,
      run: async ({ principal, context, params: given, query, upload }) => {
        const owner = await sites.owner({ kind, key: siteKeyOf(given) }, context);
        requireSite(principal, { type: kind, id: owner.id });
        return publications.publish(context, owner, toPackage(upload), query);
      },
    }),
    endpoint(`GET ${path}/versions`, {
      access: { role: 'viewer', scope: `${scope}:read`, ...limit, deploy: true },
      summary: 'As versões de um site, da mais nova à mais antiga',
      params,
      response: z.array(versionResponse),
      run: async ({ principal, context, params: given }) => {
        const owner = await sites.owner({ kind, key: siteKeyOf(given) }, context);
        requireSite(principal, { type: kind, id: owner.id });
        return sites.list(owner);
      },
    }),
    endpoint(`POST ${path}/uploads`, {
      access: { role: 'operator', scope: `${scope}:write`, ...limit, personOnly: true },
      summary: 'Dá um endereço que recebe uma publicação sem token, por uma hora',
      params,
      body: uploadBody,
      example: { activate: true, message: 'Cardápio de inverno' },
      status: 201,
      response: uploadResponse,
      errorStatuses: [409],
      noStore: true,
      run: async ({ principal, context, params: given, body }) =>
        uploads.create(await sites.owner({ kind, key: siteKeyOf(given) }, context), principal, body),
    }),
  ];
}

/** The site of a token with the scope `deploy`. @throws RuleError forbidden */
function siteOfToken({ token }: Principal): OwnerKey {
  if (!token?.site) throw new RuleError('forbidden', httpMessages.deployToken);
  return { kind: token.site.type, key: token.site.id };
}

export const siteEndpoints = (services: SiteServices) =>
  tagged('Versões', [
    ...siteTypes.flatMap((kind) => ownerEndpoints(services, kind)),
    endpoint('POST /deploy', {
      ...publishing,
      access: { role: 'operator', scope: 'deploy', project: true, deploy: true },
      summary: 'Publica um pacote no site do token',
      run: async ({ principal, context, query, upload }) => {
        const owner = await services.sites.owner(siteOfToken(principal), context);
        return services.publications.publish(context, owner, toPackage(upload), query);
      },
    }),
    publicEndpoint('GET /deploy.mjs', {
      summary: 'Programa que publica uma pasta e envia só o que falta',
      response: z.string(),
      contentType: 'text/javascript',
      run: async () => services.sites.deployScript(),
    }),
  ]);
