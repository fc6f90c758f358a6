import { type EntityManager, In } from 'typeorm';
import { domainRows } from '../features/domains/site-domains.service';
import { ApiKey } from '../features/gateway/keys/key.entity';
import { GatewayRoute } from '../features/gateway/routes/route.entity';
import { GatewayService } from '../features/gateway/services/service.entity';
import { policiesOf } from '../features/host-policies/host-policies.service';
import { Project } from '../features/projects/project.entity';
import { publishedOf, versionRows } from '../features/sites/published-versions';
import { Subdomain } from '../features/subdomains/subdomain.entity';
import { Tenant } from '../features/tenants/tenant.entity';
import type { ConfiguredEntity } from '../platform/config-revisions/config-revision.entity';
import type { RowChange } from '../routing/config-snapshot';

type Ids = string[];
type Loaders = { [Entity in ConfiguredEntity]: (manager: EntityManager, ids: Ids) => Promise<RowChange[]> };

const idIn = (ids: Ids) => ({ _id: In(ids) });

/** Loads rows of each entity with those columns that the edge needs. Ids without a row are left out. */
export const rowLoaders: Loaders = {
  async subdomain(manager, ids) {
    const rows = await manager.findBy(Subdomain, idIn(ids));
    const domains = await domainRows(manager, ids);
    const published = await publishedOf(manager, rows);
    const policies = await policiesOf(manager, ids);
    return rows.map(
      ({
        _id: id,
        description: _description,
        createdAt: _createdAt,
        healthCheck: _healthCheck,
        searchText: _searchText,
        targetKey: _targetKey,
        source: _source,
        versionId: _versionId,
        ...row
      }) => ({
        entity: 'subdomain',
        id,
        row: { id, ...row, domains: domains(id), published: published(id), policy: policies.get(id) },
      }),
    );
  },
  async project(manager, ids) {
    const rows = await manager.findBy(Project, idIn(ids));
    const published = await publishedOf(manager, rows);
    const policies = await policiesOf(manager, ids);
    return rows.map(({ _id: id, type, apiPort, staticPath, spaFallback }) => ({
      entity: 'project',
      id,
      row: { id, type, apiPort, staticPath, spaFallback, published: published(id), policy: policies.get(id) },
    }));
  },
  async tenant(manager, ids) {
    const rows = await manager.findBy(Tenant, idIn(ids));
    const domains = await domainRows(manager, ids);
    const published = await publishedOf(manager, rows);
    const policies = await policiesOf(manager, ids);
    return rows.map(({ _id: id, projectId, subdomain, dbName, name, paused }) => ({
      entity: 'tenant',
      id,
      row: {
        id,
        projectId,
        subdomain,
        dbName,
        domains: domains(id),
        name,
        paused,
        published: published(id),
        policy: policies.get(id),
      },
    }));
  },
  async version(manager, ids) {
    const rows = await versionRows(manager, ids);
    return rows.map((row) => ({ entity: 'version', id: row.id, row }));
  },
  async service(manager, ids) {
    const rows = await manager.findBy(GatewayService, idIn(ids));
    return rows.map(({ _id: id, createdAt: _createdAt, ...row }) => ({
      entity: 'service',
      id,
      row: { id, ...row },
    }));
  },
  async route(manager, ids) {
    const rows = await manager.find(GatewayRoute, {
      where: idIn(ids),
      relations: { methods: true },
    });
    return rows.map(
      ({ _id: id, methods, service: _service, createdAt: _createdAt, searchText: _searchText, ...row }) => ({
        entity: 'route',
        id,
        row: { id, ...row, methods: methods.map(({ method }) => method) },
      }),
    );
  },
  async key(manager, ids) {
    const rows = await manager.findBy(ApiKey, idIn(ids));
    return rows.map((row) => ({
      entity: 'key',
      id: row._id,
      row: {
        id: row._id,
        digest: row.digest,
        permissions: row.permissions,
        allowedIps: row.allowedIps,
        disabled: row.disabled,
        expiresAt: row.expiresAt,
        rateLimit: row.rateLimit,
        previousDigest: row.previousDigest,
        previousExpiresAt: row.previousExpiresAt,
      },
    }));
  },
};
