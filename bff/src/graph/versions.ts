import { type Core, unwrap, unwrapVoid } from '../core/client';
import type { Resolvers, SiteInput } from './generated/resolvers';

/** REST has one path for each type of site. */
const listVersions = (core: Core, { type, key }: SiteInput) => {
  switch (type) {
    case 'subdomain':
      return core.GET('/subdomains/{subdomain}/versions', { params: { path: { subdomain: key } } });
    case 'project':
      return core.GET('/projects/{id}/versions', { params: { path: { id: key } } });
    case 'tenant':
      return core.GET('/tenants/{id}/versions', { params: { path: { id: key } } });
  }
};

const createUpload = (core: Core, { type, key }: SiteInput, body: { activate: boolean; message?: string | null }) => {
  switch (type) {
    case 'subdomain':
      return core.POST('/subdomains/{subdomain}/uploads', { params: { path: { subdomain: key } }, body });
    case 'project':
      return core.POST('/projects/{id}/uploads', { params: { path: { id: key } }, body });
    case 'tenant':
      return core.POST('/tenants/{id}/uploads', { params: { path: { id: key } }, body });
  }
};

export const versions: Resolvers = {
  Query: {
    siteVersions: (_, { site }, { core }) => unwrap(listVersions(core, site)),
    versionChanges: (_, { id }, { core }) => unwrap(core.GET('/versions/{id}/changes', { params: { path: { id } } })),
  },
  Mutation: {
    createUpload: (_, { site, activate, message }, { core }) =>
      unwrap(createUpload(core, site, { activate, message: message ?? null })),
    activateVersion: (_, { id }, { core }) =>
      unwrap(core.POST('/versions/{id}/activate', { params: { path: { id } } })),
    updatePreview: (_, { id, input }, { core }) =>
      unwrap(core.PUT('/versions/{id}/preview', { params: { path: { id } }, body: input })),
    deleteVersion: (_, { id }, { core }) => unwrapVoid(core.DELETE('/versions/{id}', { params: { path: { id } } })),
  },
};
