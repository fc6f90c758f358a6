import { unwrap, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';
import { toSiteParams } from './site-paths';

const VERSION_PATHS = {
  subdomain: '/subdomains/{subdomain}/versions',
  project: '/projects/{id}/versions',
  tenant: '/tenants/{id}/versions',
} as const;
const UPLOAD_PATHS = {
  subdomain: '/subdomains/{subdomain}/uploads',
  project: '/projects/{id}/uploads',
  tenant: '/tenants/{id}/uploads',
} as const;

export const versions: Resolvers = {
  Query: {
    siteVersions: (_, { site }, { core }) =>
      unwrap(core.GET(VERSION_PATHS[site.type], { params: { path: toSiteParams(site) } })),
    versionChanges: (_, { id }, { core }) => unwrap(core.GET('/versions/{id}/changes', { params: { path: { id } } })),
  },
  Mutation: {
    createUpload: (_, { site, activate, message }, { core }) =>
      unwrap(core.POST(UPLOAD_PATHS[site.type], { params: { path: toSiteParams(site) }, body: { activate, message } })),
    activateVersion: (_, { id }, { core }) =>
      unwrap(core.POST('/versions/{id}/activate', { params: { path: { id } } })),
    updatePreview: (_, { id, input }, { core }) =>
      unwrap(core.PUT('/versions/{id}/preview', { params: { path: { id } }, body: input })),
    deleteVersion: (_, { id }, { core }) => unwrapVoid(core.DELETE('/versions/{id}', { params: { path: { id } } })),
  },
};
