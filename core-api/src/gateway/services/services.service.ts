import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../../database/conflicts';
import { recordChange } from '../../database/revision';
import type { Database } from '../../database/source';
import { RuleError } from '../../http/errors';
import { parseServiceHost, type ServiceHostFault } from '../../rules/service-host';
import { GatewayService } from './service.entity';
import { serviceMessages as messages } from './services.messages';
import type { ServiceBody, ServiceChanges } from './services.schema';

const hostFaults: Record<ServiceHostFault, string> = {
  syntax: messages.host,
  forbidden: messages.forbiddenHost,
  own: messages.ownPort,
};

export class ServicesService {
  constructor(
    private readonly database: Database,
    private readonly ownPorts: readonly number[],
  ) {}

  list(): Promise<GatewayService[]> {
    return this.database.read.find(GatewayService, { order: { name: 'ASC' } });
  }

  async get(id: string): Promise<GatewayService> {
    return findService(this.database.read, id);
  }

  async create({ name, host }: ServiceBody): Promise<GatewayService> {
    const row = { _id: uuid(), name, host: this.checkHost(host), createdAt: new Date().toISOString() };
    return this.database
      .write(async (manager) => {
        await manager.insert(GatewayService, row);
        await recordChange(manager, 'service', row._id);
        return row;
      })
      .catch(takenAs('name', messages.taken(name)));
  }

  async update(id: string, { name, host }: ServiceChanges): Promise<GatewayService> {
    const checked = host === undefined ? undefined : this.checkHost(host);
    return this.database
      .write(async (manager) => {
        const found = await findService(manager, id);
        const row = { ...found, name: name ?? found.name, host: checked ?? found.host };
        await manager.update(GatewayService, { _id: id }, row);
        await recordChange(manager, 'service', id);
        return row;
      })
      .catch(takenAs('name', messages.taken(name ?? '')));
  }

  /** Its routes go with it. */
  async remove(id: string): Promise<void> {
    await this.database.write(async (manager) => {
      await findService(manager, id);
      await manager.delete(GatewayService, { _id: id });
      await recordChange(manager, 'service', id);
    });
  }

  private checkHost(text: string): string {
    const checked = parseServiceHost(text, this.ownPorts);
    if ('host' in checked) return checked.host;
    const sentence = hostFaults[checked.fault];
    throw new RuleError('invalid', sentence, { fields: { host: sentence } });
  }
}

/** @throws RuleError notFound */
async function findService(manager: EntityManager, id: string): Promise<GatewayService> {
  const found = await manager.findOneBy(GatewayService, { _id: id });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}
