import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../database/conflicts';
import { recordChange } from '../database/revision';
import type { Database } from '../database/source';
import { RuleError } from '../http/errors';
import { httpMessages } from '../http/http.messages';
import { parseStaticPath } from '../rules/static-root';
import type { TargetRules } from '../subdomains/target';
import { Tenant } from '../tenants/tenant.entity';
import { Project } from './project.entity';
import { projectMessages as messages } from './projects.messages';
import type { ProjectBody, ProjectChanges } from './projects.schema';

type Target = Pick<Project, 'type' | 'apiPort' | 'staticPath'>;

export class ProjectsService {
  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
  ) {}

  list(): Promise<Project[]> {
    return this.database.read.find(Project, { order: { name: 'ASC', _id: 'ASC' } });
  }

  async create({ name, dbPrefix, ...body }: ProjectBody): Promise<Project> {
    const row: Project = {
      _id: uuid(),
      name,
      dbPrefix,
      ...this.check({ type: body.type, apiPort: body.apiPort ?? null, staticPath: body.staticPath ?? null }),
      createdAt: new Date().toISOString(),
    };
    return this.database
      .write(async (manager) => {
        await manager.insert(Project, row);
        await recordChange(manager, 'project', row._id);
        return row;
      })
      .catch(takenAs('name', messages.taken(name)));
  }

  async update(id: string, changes: ProjectChanges): Promise<Project> {
    return this.database
      .write(async (manager) => {
        const found = await findProject(manager, id);
        const { apiPort, staticPath } = changes;
        const row: Project = {
          ...found,
          name: changes.name ?? found.name,
          dbPrefix: changes.dbPrefix ?? found.dbPrefix,
          ...this.check({
            type: changes.type ?? found.type,
            apiPort: apiPort === undefined ? found.apiPort : apiPort,
            staticPath: staticPath === undefined ? found.staticPath : staticPath,
          }),
        };
        await manager.update(Project, { _id: id }, row);
        await recordChange(manager, 'project', id);
        return row;
      })
      .catch(takenAs('name', messages.taken(changes.name ?? '')));
  }

  /** @throws RuleError conflict while tenants use it */
  async remove(id: string): Promise<void> {
    await this.database.write(async (manager) => {
      await findProject(manager, id);
      const tenants = await manager.countBy(Tenant, { projectId: id });
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
    const folder = type === 'static' ? parseStaticPath(staticPath ?? '', this.rules.staticRoots) : null;
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
