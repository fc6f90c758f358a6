import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordChange } from '../../configuration/configuration.service';
import { editRow } from '../../database/apply-changes';
import type { ChangeContext, Database } from '../../database/source';
import { RuleError } from '../../errors';
import { digestOf, generateKey, prefixOf } from '../../rules/api-key';
import { compilePermissions } from '../../rules/permission';
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

  /** Name by id. */
  async names(): Promise<Map<string, string>> {
    const keys: { _id: string; name: string }[] = await this.database.read.query('SELECT _id, name FROM api_keys');
    return new Map(keys.map(({ _id, name }) => [_id, name]));
  }

  find(id: string): Promise<ApiKey | null> {
    return this.database.read.findOneBy(ApiKey, { _id: id });
  }

  async create(context: ChangeContext, body: KeyBody): Promise<ApiKey & { key: string }> {
    const key = generateKey();
    const row: ApiKey = {
      _id: uuid(),
      ...body,
      prefix: prefixOf(key),
      digest: digestOf(key),
      previousDigest: null,
      previousExpiresAt: null,
      usageCount: 0,
      createdAt: new Date().toISOString(),
      lastUsedAt: null,
      version: 1,
    };
    await this.database.change(context, async (manager) => {
      // A copy: TypeORM writes what the database returned into it, 64-bit counters as text.
      await manager.insert(ApiKey, { ...row });
      await recordChange(manager, 'key', row._id);
    });
    return { ...row, key };
  }

  async update(context: ChangeContext, id: string, changes: KeyChanges): Promise<ApiKey> {
    return this.database.change(context, async (manager) => {
      const found = await findKey(manager, id);
      const row = editRow(found, changes, context);
      const { name, permissions, allowedIps, note, expiresAt, disabled, rateLimit, version } = row;
      // Never the counters: the edge adds to them at the same time.
      await manager.update(
        ApiKey,
        { _id: id },
        { name, permissions, allowedIps, note, expiresAt, disabled, rateLimit, version },
      );
      await recordChange(manager, 'key', id);
      return row;
    });
  }

  /**
   * Gives the key another secret under the same `_id`, history and count. The one before holds for `graceSeconds` more;
   * one that was still in its grace before this call ends at once.
   */
  async rotate(context: ChangeContext, id: string, graceSeconds: number): Promise<ApiKey & { key: string }> {
    const key = generateKey();
    return this.database.change(context, async (manager) => {
      const found = await findKey(manager, id);
      const kept = graceSeconds > 0;
      const columns = {
        prefix: prefixOf(key),
        digest: digestOf(key),
        previousDigest: kept ? found.digest : null,
        previousExpiresAt: kept ? new Date(Date.now() + graceSeconds * 1000).toISOString() : null,
      };
      await manager.update(ApiKey, { _id: id }, columns);
      await recordChange(manager, 'key', id);
      return { ...found, ...columns, key };
    });
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      await findKey(manager, id);
      await manager.delete(ApiKey, { _id: id });
      await recordChange(manager, 'key', id);
    });
  }
}

/** Keys that cover one of the permissions. */
export async function countKeys(manager: EntityManager, permissions: readonly string[]): Promise<number> {
  const keys = await manager.find(ApiKey, { select: { _id: true, permissions: true } });
  return keys.filter((key) => permissions.some(compilePermissions(key.permissions))).length;
}

async function findKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const found = await manager.findOneBy(ApiKey, { _id: id });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}
