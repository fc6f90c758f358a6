import { type EntityManager, In } from 'typeorm';
import { loadDomainsByOwner } from '../features/domains/site-domains.service';
import { ApiKey } from '../features/gateway/keys/key.entity';
import { GatewayRoute } from '../features/gateway/routes/route.entity';
import { GatewayService } from '../features/gateway/services/service.entity';
import { findPolicies } from '../features/host-policies/host-policies.service';
import { Project } from '../features/projects/project.entity';
import { findPublishedVersions, loadPreviewedVersions } from '../features/sites/published-versions';
import { Subdomain } from '../features/subdomains/subdomain.entity';
import { Tenant } from '../features/tenants/tenant.entity';
import type { ConfiguredEntity } from '../platform/config-revisions/configured-entities';
import type { RowByEntity, RowChange } from '../routing/config-snapshot';

type Loaders = { [Entity in ConfiguredEntity]: (read: EntityManager, ids: string[]) => Promise<RowByEntity[Entity][]> };

const idIn = (ids: string[]) => ({ _id: In(ids) });

/** Returns a function that takes the id of an owner and returns the published version and host policy of the owner. */
async function loadVersionsAndPolicies(read: EntityManager, owners: readonly (Subdomain | Project | Tenant)[]) {
  const publishedById = await findPublishedVersions(read, owners);
  const ids = owners.map(({ _id }) => _id);
  const policies = await findPolicies(read, ids);
  return (id: string) => ({ published: publishedById.get(id), policy: policies.get(id) });
}

const loaders: Loaders = {
  async subdomain(read, ids) {
    const rows = await read.findBy(Subdomain, idIn(ids));
    const findDomains = await loadDomainsByOwner(read, ids);
    const findVersionAndPolicy = await loadVersionsAndPolicies(read, rows);
    return rows.map(({ _id: id, subdomain, paused, ...row }) => {
      const { type, port, staticPath, apiPort, spaFallback, targetHost, targetPort } = row;
      const target = { type, port, staticPath, apiPort, spaFallback, targetHost, targetPort };
      return { id, subdomain, ...target, paused, domains: findDomains(id), ...findVersionAndPolicy(id) };
    });
  },
  async project(read, ids) {
    const rows = await read.findBy(Project, idIn(ids));
    const findVersionAndPolicy = await loadVersionsAndPolicies(read, rows);
    return rows.map(({ _id: id, type, apiPort, staticPath, spaFallback }) => {
      return { id, type, apiPort, staticPath, spaFallback, ...findVersionAndPolicy(id) };
    });
  },
  async tenant(read, ids) {
    const rows = await read.findBy(Tenant, idIn(ids));
    const findDomains = await loadDomainsByOwner(read, ids);
    const findVersionAndPolicy = await loadVersionsAndPolicies(read, rows);
    return rows.map(({ _id: id, projectId, subdomain, dbName, name, paused }) => {
      return { id, projectId, subdomain, dbName, name, paused, domains: findDomains(id), ...findVersionAndPolicy(id) };
    });
  },
  version: loadPreviewedVersions,
  async service(read, ids) {
    const rows = await read.findBy(GatewayService, idIn(ids));
    return rows.map(({ _id: id, createdAt: _createdAt, ...row }) => ({ id, ...row }));
  },
  async route(read, ids) {
    const rows = await read.find(GatewayRoute, { where: idIn(ids), relations: { methods: true } });
    return rows.map(({ _id: id, serviceId, origin, destination, permission, public: isPublic, methods }) => {
      const names = methods.map(({ method }) => method);
      return { id, serviceId, origin, destination, permission, public: isPublic, methods: names };
    });
  },
  async key(read, ids) {
    const rows = await read.findBy(ApiKey, idIn(ids));
    return rows.map((row) => {
      const { _id: id, digest, permissions, allowedIps, disabled, expiresAt, rateLimit } = row;
      const { previousDigest, previousExpiresAt } = row;
      return { id, digest, permissions, allowedIps, disabled, expiresAt, rateLimit, previousDigest, previousExpiresAt };
    });
  },
};

/** Loads the columns that the edge needs. Ids without a row, and versions without a preview, are ignored. */
export async function loadRows(read: EntityManager, entity: ConfiguredEntity, ids: string[]): Promise<RowChange[]> {
  const rows = await loaders[entity](read, ids);
  return rows.map((row) => ({ entity, id: row.id, row }) as RowChange);
}
