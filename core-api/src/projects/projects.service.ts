import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordChange } from '../configuration/configuration.service';
import { editRow } from '../database/apply-changes';
import { takenAs } from '../database/conflicts';
import type { ChangeContext, Database } from '../database/source';
import { RuleError } from '../errors';
import { httpMessages } from '../http/http.messages';
import { parseStaticPath } from '../rules/static-root';
import type { TargetRules } from '../rules/target';
import { Project } from './project.entity';
import { projectMessages as messages } from './projects.messages';
import type { ProjectBody, ProjectChanges } from './projects.schema';

type Target = Pick<Project, 'type' | 'apiPort' | 'staticPath'>;

export class ProjectsService {
  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
    /** How many tenants use a project. */
    private readonly countTenants: (manager: EntityManager, projectId: string) => Promise<number>,
  ) {}

  list(): Promise<Project[]> {
    return this.database.read.find(Project, { order: { name: 'ASC', _id: 'ASC' } });
  }

  find(manager: EntityManager, id: string): Promise<Project | null> {
    return manager.findOneBy(Project, { _id: id });
  }

  async create(context: ChangeContext, { name, dbPrefix, ...body }: ProjectBody): Promise<Project> {
    const row: Project = {
      _id: uuid(),
      name,
      dbPrefix,
      ...this.check({ type: body.type, apiPort: body.apiPort ?? null, staticPath: body.staticPath ?? null }),
      createdAt: new Date().toISOString(),
      version: 1,
    };
    return this.database
      .change(context, async (manager) => {
        await manager.insert(Project, row);
        await recordChange(manager, 'project', row._id);
        return row;
      })
      .catch(takenAs({ 'projects(name)': ['name', messages.taken(name)] }));
  }

  async update(context: ChangeContext, id: string, changes: ProjectChanges): Promise<Project> {
    return this.database
      .change(context, async (manager) => {
        const found = await findProject(manager, id);
        const changed = editRow(found, changes, context);
        const row = { ...changed, ...this.check(changed) };
        await manager.update(Project, { _id: id }, row);
        await recordChange(manager, 'project', id);
        return row;
      })
      .catch(takenAs({ 'projects(name)': ['name', messages.taken(changes.name ?? '')] }));
  }

  /** @throws RuleError conflict while tenants use it */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      await findProject(manager, id);
      const tenants = await this.countTenants(manager, id);
      if (tenants > 0) throw new RuleError('conflict', messages.inUse(tenants));
      await manager.delete(Project, { _id: id });
      await recordChange(manager, 'project', id);
    });
  }

  /** proxy needs a port, static a folder and may have a port for its `/api`. @throws RuleError invalid */
  private check({ type, apiPort, staticPath }: Target): Target {
    const fields: Record<string, string> = {};
    if (type === 'proxy' && apiPort === null) fields.apiPort = messages.apiPort;
    if (apiPort !== null && this.rules.ownPorts.includes(apiPort)) fields.apiPort = messages.ownPort;
    const folder = type === 'static' ? parseStaticPath(staticPath ?? '', this.rules.staticRules) : null;
    if (folder === undefined) fields.staticPath = messages.staticPath;
    if (Object.keys(fields).length > 0) throw new RuleError('invalid', httpMessages.invalid, { fields });
    return { type, apiPort, staticPath: folder ?? null };
  }
}

async function findProject(manager: EntityManager, id: string): Promise<Project> {
  const found = await manager.findOneBy(Project, { _id: id });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}
