import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import { editRow } from '../../platform/database/changes/apply-changes';
import { type ProjectLimit, permitsProject } from '../../platform/database/changes/change-context';
import type { ChangeContext, Database } from '../../platform/database/database';
import { findOrderedIds, NAME_ORDER_SQL, SEARCH_SQL, toInValues } from '../../platform/database/queries/ordered-ids';
import { mapUniqueViolation } from '../../platform/database/queries/unique-violation';
import { RuleError } from '../../platform/errors/rule-error';
import { httpMessages } from '../../platform/http/http.messages';
import { ListPages, toSqlDirection } from '../../platform/http/lists/list-pages';
import { parseStaticPath } from '../../platform/net/static-root';
import type { TargetRules } from '../../platform/net/target';
import { removePolicy } from '../host-policies';
import { createBaseOwnerStore, removeAllVersions, type SiteOwnerStore, toHostLabel } from '../sites';
import { createProjectSearchText, Project } from './project.entity';
import { projectMessages as messages } from './projects.messages';
import type { ProjectBody, ProjectChanges, ProjectQuery } from './projects.schema';

type ProjectTarget = Pick<Project, 'type' | 'apiPort' | 'staticPath'>;

/** SQL expressions by which the list is sorted. */
const SORTS: Record<NonNullable<ProjectQuery['sortBy']>, string> = {
  name: NAME_ORDER_SQL,
  type: 'row.type',
  dbPrefix: 'row.dbPrefix',
};

const mapNameConflict = (name = '') => mapUniqueViolation({ 'projects(name)': ['name', messages.nameTaken(name)] });

export class ProjectsService {
  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
    private readonly countTenants: (manager: EntityManager, projectId: string) => Promise<number>,
  ) {}

  /** The project as a site owner. Its tenants may serve its versions. */
  readonly siteOwner: SiteOwnerStore = {
    ...createBaseOwnerStore('project', Project),
    async find(manager, key, projectLimit) {
      const { _id: id, name, type, source, versionId } = await requireProject(manager, key, projectLimit);
      return {
        kind: 'project',
        id,
        name,
        label: toHostLabel(name),
        isStatic: type === 'static',
        versionId,
        servesVersion: source === 'versions',
        projectId: id,
      };
    },
  };

  listAll(projectLimit: ProjectLimit): Promise<Project[]> {
    const where = projectLimit ? { _id: In([...projectLimit]) } : {};
    return this.database.read.find(Project, { where, order: { name: 'ASC', _id: 'ASC' } });
  }

  /** Lists projects in pages, for callers of the API. */
  async list(projectLimit: ProjectLimit, query: ProjectQuery): Promise<ListPages> {
    const { report } = this.database;
    const page = await findOrderedIds(report, Project, {
      ...query,
      order: { by: query.sortBy ? SORTS[query.sortBy] : 'row.name', direction: toSqlDirection(query) },
      searchConditions: [SEARCH_SQL],
      restrict: (rows) => projectLimit && rows.where('row._id IN (:...ids)', { ids: toInValues(projectLimit) }),
    });
    return new ListPages({ ...page, fields: query.fields }, (ids) => report.findBy(Project, { _id: In(ids) }));
  }

  count(projectLimit: ProjectLimit): Promise<number> {
    return this.database.read.countBy(Project, projectLimit ? { _id: In([...projectLimit]) } : {});
  }

  get(id: string, projectLimit: ProjectLimit): Promise<Project> {
    return requireProject(this.database.read, id, projectLimit);
  }

  async find(manager: EntityManager, id: string, projectLimit: ProjectLimit): Promise<Project | null> {
    if (!permitsProject(projectLimit, id)) return null;
    return manager.findOneBy(Project, { _id: id });
  }

  async create(context: ChangeContext, { name, dbPrefix, ...body }: ProjectBody): Promise<Project> {
    const row: Project = {
      _id: uuid(),
      name,
      dbPrefix,
      searchText: createProjectSearchText({ name, dbPrefix }),
      ...this.checkTarget({
        type: body.type,
        apiPort: body.apiPort ?? null,
        staticPath: body.staticPath ?? null,
        source: body.source ?? 'folder',
      }),
      spaFallback: body.spaFallback ?? true,
      source: body.source ?? 'folder',
      versionId: null,
      createdAt: new Date().toISOString(),
      version: 1,
    };
    return this.database
      .serializedWrite(context, async (manager) => {
        await manager.insert(Project, row);
        await recordConfigChange(manager, 'project', row._id);
        return row;
      })
      .catch(mapNameConflict(name));
  }

  async update(context: ChangeContext, id: string, changes: ProjectChanges): Promise<Project> {
    return this.database
      .serializedWrite(context, async (manager) => {
        const stored = await requireProject(manager, id, context.projects);
        const changedRow = editRow(stored, changes, context);
        const row = { ...changedRow, searchText: createProjectSearchText(changedRow), ...this.checkTarget(changedRow) };
        await manager.update(Project, { _id: id }, row);
        await recordConfigChange(manager, 'project', id);
        return row;
      })
      .catch(mapNameConflict(changes.name));
  }

  /** Removes a project. @throws RuleError notFound; conflict for a project with tenants */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireProject(manager, id, context.projects);
      const tenants = await this.countTenants(manager, id);
      if (tenants > 0) throw new RuleError('conflict', messages.inUse(tenants));
      await removeAllVersions(manager, id);
      await removePolicy(manager, id);
      await manager.delete(Project, { _id: id });
      await recordConfigChange(manager, 'project', id);
    });
  }

  /**
   * Checks the target: a proxy needs a port, and a static site that serves a folder needs an allowed folder.
   * @throws RuleError invalid
   */
  private checkTarget({ type, apiPort, staticPath, source }: ProjectTarget & Pick<Project, 'source'>): ProjectTarget {
    const fields: Record<string, string> = {};
    if (type === 'proxy' && apiPort === null) fields.apiPort = messages.apiPort;
    if (apiPort !== null && this.rules.ownPorts.includes(apiPort)) fields.apiPort = messages.ownPort;
    const shouldCheckFolder = type === 'static' && (source !== 'versions' || Boolean(staticPath));
    const folder = shouldCheckFolder ? parseStaticPath(staticPath ?? '', this.rules.staticRules) : null;
    if (folder === undefined) fields.staticPath = messages.staticPath;
    if (Object.keys(fields).length > 0) throw new RuleError('invalid', httpMessages.invalid, { fields });
    return { type, apiPort, staticPath: folder ?? null };
  }
}

async function requireProject(manager: EntityManager, id: string, projectLimit: ProjectLimit): Promise<Project> {
  const project = permitsProject(projectLimit, id) ? await manager.findOneBy(Project, { _id: id }) : null;
  if (!project) throw new RuleError('notFound', messages.notFound);
  return project;
}
