import { And, Equal, In, Not } from 'typeorm';
import { AuditEntry, type AuditedEntity, type FieldChange } from '../../platform/audit/audit-entry.entity';
import type { Database } from '../../platform/database/database';
import type { Role } from '../../platform/http/access/access';
import { toSkipAndTake } from '../../platform/http/lists/paging';
import type { AuditQuery } from './audit.schema';

const ADMINISTRATORS_ONLY: AuditedEntity[] = ['admin', 'token', 'login'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Collects the UUIDs, which are ids of entities, from the values of changes. */
function collectIds(value: unknown): string[] {
  if (typeof value === 'string') return UUID.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectIds) : [];
}

/** Reads the audit entries, which `Database.serializedWrite` and `LoginRecord` store. */
export class AuditService {
  constructor(private readonly database: Pick<Database, 'read'>) {}

  /** Lists entries, the newest first. Only administrators see entries about accounts, tokens and logins. */
  async list({ entity, actor, ...page }: AuditQuery, role: Role) {
    const hiddenEntities = role === 'administrator' ? [] : ADMINISTRATORS_ONLY;
    const [rows, total] = await this.database.read.findAndCount(AuditEntry, {
      where: { entity: And(Not(In(hiddenEntities)), ...(entity ? [Equal(entity)] : [])), ...(actor && { actor }) },
      order: { at: 'DESC', _id: 'DESC' },
      ...toSkipAndTake(page),
    });
    const parseChanges = ({ changes }: AuditEntry): Record<string, FieldChange> => JSON.parse(changes);
    const entries = rows.map((row) => ({ ...row, changes: parseChanges(row) }));
    const ids = new Set(entries.flatMap(({ changes }) => collectIds(changes)));
    return { entries, names: await this.findNames([...ids], hiddenEntities), total };
  }

  /** The newest name of each entity, even of a removed one: `fromEntries` keeps the last name of an id. */
  private async findNames(
    ids: readonly string[],
    hiddenEntities: readonly AuditedEntity[],
  ): Promise<Record<string, string>> {
    if (ids.length === 0) return {};
    const entries = await this.database.read.find(AuditEntry, {
      select: { entityId: true, name: true },
      where: { entityId: In([...ids]), entity: Not(In([...hiddenEntities])), name: Not('') },
      order: { at: 'ASC', _id: 'ASC' },
    });
    return Object.fromEntries(entries.map(({ entityId, name }) => [entityId, name]));
  }
}
