import { Between, type EntityManager, In, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordConfigChange } from '../../../platform/config-revisions/config-revisions';
import { editRow } from '../../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { findOrderedIds, NAME_ORDER_SQL, SEARCH_SQL } from '../../../platform/database/queries/ordered-ids';
import { requireRow } from '../../../platform/database/queries/require-row';
import { ListPages, toSqlDirection } from '../../../platform/http/lists/list-pages';
import { DAY_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { digestSecret } from '../../../routing/keys/key-table';
import { compilePermissions } from '../../../routing/keys/permission';
import { generateKey, toKeyPrefix } from './api-key';
import { ApiKey, createKeySearchText } from './key.entity';
import { keyMessages as messages } from './keys.messages';
import type { KeyBody, KeyChanges, KeyQuery, KeyStatus } from './keys.schema';

/** A key that expires within this time is `expiring`. */
const EXPIRING_MS = 30 * DAY_MS;

const SORTS: Record<KeyQuery['sortBy'], { by: string; isNullable?: boolean }> = {
  name: { by: NAME_ORDER_SQL },
  usageCount: { by: 'row.usageCount' },
  createdAt: { by: 'row.createdAt' },
  lastUsedAt: { by: 'row.lastUsedAt', isNullable: true },
};

const ENABLED = 'row.disabled = :off';
const NOT_EXPIRED = '(row.expiresAt IS NULL OR row.expiresAt > :now)';
const NOT_ROTATING = '(row.previousExpiresAt IS NULL OR row.previousExpiresAt <= :now)';
const STATUSES: Record<KeyStatus, string> = {
  disabled: 'row.disabled = :on',
  expired: `${ENABLED} AND row.expiresAt <= :now`,
  rotating: `${ENABLED} AND ${NOT_EXPIRED} AND row.previousExpiresAt > :now`,
  expiring: `${ENABLED} AND row.expiresAt > :now AND row.expiresAt <= :soon AND ${NOT_ROTATING}`,
  active: `${ENABLED} AND (row.expiresAt IS NULL OR row.expiresAt > :soon) AND ${NOT_ROTATING}`,
};

/**
 * A list contains the permission if `REPLACE` changes the list's JSON text. JSON escapes no character of a permission.
 * `LIKE` would ignore case on SQLite.
 */
const HOLDS_PERMISSION = ['all', 'resource', 'needed']
  .map((name) => `REPLACE(row.permissions, :${name}, '') <> row.permissions`)
  .join(' OR ');

const PERMISSION_LISTS_SQL = 'SELECT permissions, COUNT(*) AS keys FROM api_keys GROUP BY permissions';

export class KeysService {
  constructor(private readonly database: Database) {}

  /** Lists keys. If the newest use is first, unused keys are last on both dialects, because null counts as ''. */
  async list({ status, permission, ...query }: KeyQuery): Promise<ListPages> {
    const { report } = this.database;
    const nowMs = Date.now();
    const page = await findOrderedIds(report, ApiKey, {
      ...query,
      order: { ...SORTS[query.sortBy], direction: toSqlDirection(query) },
      searchConditions: [SEARCH_SQL],
      restrict: (rows) => {
        if (status) {
          const [now, soon] = [nowMs, nowMs + EXPIRING_MS].map((ms) => new Date(ms).toISOString());
          rows.andWhere(STATUSES[status], { on: true, off: false, now, soon });
        }
        if (permission) {
          const resource = `"${permission.replace(/:.*/s, ':*')}"`;
          rows.andWhere(`(${HOLDS_PERMISSION})`, { all: '"*"', resource, needed: `"${permission}"` });
        }
      },
    });
    return new ListPages({ ...page, fields: query.fields }, (ids) => report.findBy(ApiKey, { _id: In(ids) }));
  }

  /** Counts in SQL, because there may be many keys. */
  async getSummary() {
    const { report } = this.database;
    const counts = await report
      .createQueryBuilder(ApiKey, 'row')
      .select('COUNT(*)', 'keys')
      .addSelect('COALESCE(SUM(row.usageCount), 0)', 'usageCount')
      .getRawOne<{ keys: number | string; usageCount: number | string }>();
    const mostUsed = await report.findOne(ApiKey, {
      select: { _id: true, name: true, usageCount: true },
      where: { usageCount: MoreThan(0) },
      order: { usageCount: 'DESC', _id: 'DESC' },
    });
    return { keys: Number(counts?.keys ?? 0), usageCount: Number(counts?.usageCount ?? 0), mostUsed };
  }

  /** Returns the names of the keys by id, without the ids that do not exist. */
  async findNames(ids: readonly string[]): Promise<Map<string, string>> {
    const where = { _id: In([...ids]) };
    const keys = await this.database.read.find(ApiKey, { select: { _id: true, name: true }, where });
    return new Map(keys.map(({ _id, name }) => [_id, name]));
  }

  /** Returns the prefixes of the keys by id, without the keys that have no prefix. */
  async findPrefixes(ids: readonly string[]): Promise<Map<string, string>> {
    const where = { _id: In([...ids]) };
    const keys = await this.database.read.find(ApiKey, { select: { _id: true, prefix: true }, where });
    return new Map(keys.flatMap(({ _id, prefix }) => (prefix ? [[_id, prefix]] : [])));
  }

  /** Returns a function that tells whether any key has a permission by name or as `resource:*`; `*` does not count. */
  async createPermissionLookup(): Promise<(permission: string) => boolean> {
    const lists = await findPermissionLists(this.database.report);
    return compilePermissions(
      lists.flatMap(({ permissions }) => permissions.filter((permission) => permission !== '*')),
    );
  }

  /** Lists enabled keys that expire before `before` and were used since `usedSince`, both ISO 8601 UTC. */
  listExpiringInUse(before: string, usedSince: string): Promise<ApiKey[]> {
    const now = new Date().toISOString();
    return this.database.report.findBy(ApiKey, {
      disabled: false,
      expiresAt: Between(now, before),
      lastUsedAt: MoreThan(usedSince),
    });
  }

  get(id: string): Promise<ApiKey> {
    return requireKey(this.database.read, id);
  }

  find(id: string): Promise<ApiKey | null> {
    return this.database.read.findOneBy(ApiKey, { _id: id });
  }

  async create(context: ChangeContext, body: KeyBody): Promise<ApiKey & { key: string }> {
    const key = generateKey();
    const row: ApiKey = {
      _id: uuid(),
      ...body,
      prefix: toKeyPrefix(key),
      searchText: createKeySearchText({ ...body, prefix: toKeyPrefix(key) }),
      digest: digestSecret(key),
      previousDigest: null,
      previousExpiresAt: null,
      usageCount: 0,
      createdAt: new Date().toISOString(),
      lastUsedAt: null,
      version: 1,
    };
    await this.database.serializedWrite(context, async (manager) => {
      await manager.insert(ApiKey, row);
      await recordConfigChange(manager, 'key', row._id);
    });
    return { ...row, key };
  }

  async update(context: ChangeContext, id: string, changes: KeyChanges): Promise<ApiKey> {
    return this.database.serializedWrite(context, async (manager) => {
      const storedKey = await requireKey(manager, id);
      const row = editRow(storedKey, changes, context);
      // The update leaves out the columns about usage, which the edge may change at the same time.
      const { usageCount: _count, lastUsedAt: _lastUsedAt, ...columns } = row;
      await manager.update(ApiKey, { _id: id }, { ...columns, searchText: createKeySearchText(row) });
      await recordConfigChange(manager, 'key', id);
      return row;
    });
  }

  /**
   * Replaces the key's secret; `_id`, history and counters stay. The previous secret stays valid for `graceSeconds`.
   * Older secrets become invalid immediately.
   */
  async rotate(context: ChangeContext, id: string, graceSeconds: number): Promise<ApiKey & { key: string }> {
    const key = generateKey();
    return this.database.serializedWrite(context, async (manager) => {
      const storedKey = await requireKey(manager, id);
      const previousExpiresAt = graceSeconds > 0 ? toIsoFromNow(graceSeconds * 1000) : null;
      const columns = {
        prefix: toKeyPrefix(key),
        searchText: createKeySearchText({ ...storedKey, prefix: toKeyPrefix(key) }),
        digest: digestSecret(key),
        previousDigest: previousExpiresAt && storedKey.digest,
        previousExpiresAt,
      };
      await manager.update(ApiKey, { _id: id }, columns);
      await recordConfigChange(manager, 'key', id);
      return { ...storedKey, ...columns, key };
    });
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireKey(manager, id);
      await manager.delete(ApiKey, { _id: id });
      await recordConfigChange(manager, 'key', id);
    });
  }
}

/** Counts the keys that cover at least one of the permissions. */
export async function countKeys(manager: EntityManager, permissions: readonly string[]): Promise<number> {
  const lists = await findPermissionLists(manager);
  return lists
    .filter((list) => permissions.some(compilePermissions(list.permissions)))
    .reduce((sum, { keyCount }) => sum + keyCount, 0);
}

/** The lists of permissions that keys hold. Equal lists are returned once, with the number of keys that hold them. */
async function findPermissionLists(manager: EntityManager): Promise<{ permissions: string[]; keyCount: number }[]> {
  const rows = await manager.query<{ permissions: string; keys: number | string }[]>(PERMISSION_LISTS_SQL);
  return rows.map(({ permissions, keys }) => ({ permissions: JSON.parse(permissions), keyCount: Number(keys) }));
}

const requireKey = (manager: EntityManager, id: string): Promise<ApiKey> =>
  requireRow(manager, ApiKey, { _id: id }, messages.notFound);
