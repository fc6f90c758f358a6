import type { EntityManager } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import { findOrderedIds, NAME_ORDER_SQL, SEARCH_SQL, toInValues } from '../../platform/database/queries/ordered-ids';
import { selectIn } from '../../platform/database/queries/select-in';
import { ListPages, toSqlDirection } from '../../platform/http/lists/list-pages';
import { toDisplayHost } from '../../platform/net/hostname';
import { foldAccents } from '../../platform/text/fold-accents';
import { Tenant } from './tenant.entity';
import type { TenantPresenter } from './tenant-presenter';
import type { TenantQuery } from './tenants.schema';

/** SQL expressions by which the list is sorted. */
const SORTS: Record<NonNullable<TenantQuery['sortBy']>, { by: string; isNullable?: boolean }> = {
  name: { by: NAME_ORDER_SQL },
  project: { by: '(SELECT "searchText" FROM projects WHERE projects._id = row.projectId)' },
  subdomain: { by: 'row.subdomain' },
  customDomain: {
    by: `(SELECT host FROM site_domains WHERE "ownerId" = row._id AND role = 'primary')`,
    isNullable: true,
  },
  responsibleName: { by: 'lower(row.responsibleName)', isNullable: true },
};

const SEARCH_CONDITIONS = [
  SEARCH_SQL,
  `row.projectId IN (SELECT _id FROM projects WHERE "searchText" LIKE :pattern ESCAPE '\\')`,
  `row._id IN (SELECT "ownerId" FROM site_domains WHERE host LIKE :pattern ESCAPE '\\')`,
  'row._id IN (:...unicodeOwners)',
];

const UNICODE_HOSTS_SQL = `SELECT host, "ownerId" FROM site_domains WHERE host LIKE '%xn--%'`;

/** Finds at most 1,000 owners of domains whose Unicode form contains the text. SQL sees only the stored punycode. */
async function findUnicodeOwners(manager: EntityManager, text: string): Promise<string[]> {
  const rows = await manager.query<{ host: string; ownerId: string }[]>(UNICODE_HOSTS_SQL);
  const matches = rows.filter(({ host }) => foldAccents(toDisplayHost(host)).includes(foldAccents(text)));
  return matches.slice(0, 1_000).map(({ ownerId }) => ownerId);
}

interface ListOptions {
  /** The projects that the account may see; `projectLimit` has their ids, or is null for all projects. */
  projects: readonly Tenant['project'][];
  projectLimit: ProjectLimit;
  presenter: TenantPresenter;
}

/** Lists tenants by name, or in the order of the query. */
export async function listTenants(
  manager: EntityManager,
  query: TenantQuery,
  { projects, projectLimit, presenter }: ListOptions,
): Promise<ListPages> {
  const projectsById = new Map(projects.map((project) => [project._id, project]));
  const unicodeOwners = toInValues(query.search ? await findUnicodeOwners(manager, query.search) : []);
  const page = await findOrderedIds(manager, Tenant, {
    ...query,
    order: { ...(query.sortBy ? SORTS[query.sortBy] : { by: 'row.name' }), direction: toSqlDirection(query) },
    searchConditions: SEARCH_CONDITIONS,
    restrict: (rows) => {
      rows.setParameter('unicodeOwners', unicodeOwners);
      if (projectLimit) rows.andWhere('row.projectId IN (:...projects)', { projects: toInValues(projectLimit) });
      if (query.project) rows.andWhere('row.projectId = :project', { project: query.project });
    },
  });
  return new ListPages({ ...page, fields: query.fields }, async (ids) => {
    const selection = { table: 'tenants', columns: '*', column: '_id', values: ids };
    const rows = await selectIn<Omit<Tenant, 'project'>>(manager, selection);
    const tenants = rows.flatMap((row) => {
      const project = projectsById.get(row.projectId);
      // Plain SQL returns SQLite's booleans as numbers.
      const booleans = { paused: Boolean(row.paused), healthCheck: Boolean(row.healthCheck) };
      return project ? [{ ...row, ...booleans, project }] : [];
    });
    return presenter.toResponses(tenants, query);
  });
}
