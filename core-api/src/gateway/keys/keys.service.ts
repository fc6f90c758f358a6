import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordChange } from '../../database/revision';
import type { Database } from '../../database/source';
import { RuleError } from '../../http/errors';
import { digestOf, generateKey } from '../../rules/api-key';
import { ApiKey } from './key.entity';
import { keyMessages as messages } from './keys.messages';
import type { KeyBody, KeyChanges, KeyQuery } from './keys.schema';

export class KeysService {
  constructor(private readonly database: Database) {}

  /** Keys that were never used come last when the newest use comes first, on either dialect. */
  list({ sortBy, order }: KeyQuery): Promise<ApiKey[]> {
    const direction = order === 'asc' ? 'ASC' : 'DESC';
    const nulls = order === 'asc' ? 'FIRST' : 'LAST';
    return this.database.read.find(ApiKey, {
      order: { [sortBy]: sortBy === 'lastUsedAt' ? { direction, nulls } : direction, _id: direction },
    });
  }

  async create(body: KeyBody): Promise<ApiKey & { key: string }> {
    const key = generateKey();
    const row: ApiKey = {
      _id: uuid(),
      ...body,
      digest: digestOf(key),
      usageCount: 0,
      createdAt: new Date().toISOString(),
      lastUsedAt: null,
    };
    await this.database.write(async (manager) => {
      // A copy: TypeORM writes what the database returned into it, 64-bit counters as text.
      await manager.insert(ApiKey, { ...row });
      await recordChange(manager, 'key', row._id);
    });
    return { ...row, key };
  }

  async update(id: string, changes: KeyChanges): Promise<ApiKey> {
    return this.database.write(async (manager) => {
      const found = await findKey(manager, id);
      const { name = found.name, permissions = found.permissions, allowedIps = found.allowedIps } = changes;
      const columns = { name, permissions, allowedIps };
      await manager.update(ApiKey, { _id: id }, columns);
      await recordChange(manager, 'key', id);
      return { ...found, ...columns };
    });
  }

  async remove(id: string): Promise<void> {
    await this.database.write(async (manager) => {
      await findKey(manager, id);
      await manager.delete(ApiKey, { _id: id });
      await recordChange(manager, 'key', id);
    });
  }
}

async function findKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const found = await manager.findOneBy(ApiKey, { _id: id });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}
