import { type EntityManager, type EntityTarget, type FindOptionsWhere, In, type ObjectLiteral } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { chunks } from '../collections/chunks';
import type { ChangeContext } from '../database/changes/change-context';
import { AuditEntry, type FieldChange } from './audit-entry.entity';
import { type AuditedTable, findAuditedTable, findPartTable } from './audited';

type AnyEntityTarget = EntityTarget<ObjectLiteral>;
type Row = Record<string, unknown>;

const MASK = '••••••••';
/** Columns that are never recorded, because they are keys or the product writes them. */
const UNRECORDED_COLUMNS = ['_id', 'id', 'version', 'createdAt'];

interface ChangedRow extends Pick<AuditEntry, 'action' | 'entity' | 'entityId' | 'name'> {
  changes: Record<string, FieldChange>;
}

/** Methods of `EntityManager` that write without a record, so they throw for an audited table. */
const UNRECORDED_WRITES = [
  'save',
  'upsert',
  'remove',
  'increment',
  'decrement',
  'updateAll',
  'deleteAll',
  'clear',
] as const;

/**
 * Records the changes of one transaction. For each row that `manager` inserts, updates or deletes, the values before
 * the first write and after the last write are compared. A row that differs becomes one entry. Rows that a query
 * builder or plain SQL writes, or that foreign keys remove, are not recorded.
 */
export class AuditRecorder {
  /** Rows before the transaction, by table and id; null for a row that did not exist. */
  private readonly rowsBefore = new Map<AnyEntityTarget, Map<string, Row | null>>();
  /** The manager for the work of the transaction. It records the rows that it writes. */
  readonly manager: EntityManager;

  constructor(private readonly baseManager: EntityManager) {
    // The constructor of `EntityManager` would replace the manager of the query runner, so a subclass is not possible.
    // Nor is a subscriber of TypeORM, which gets no rows from `update` and `delete`.
    const manager: EntityManager = Object.create(baseManager);
    manager.insert = async (target, rows) => {
      await this.beforeInsert(target as AnyEntityTarget, [rows].flat() as Row[]);
      // Without `updateEntity(false)`, TypeORM would write stored values into `rows`, for example counters as text.
      return baseManager.createQueryBuilder().insert().into(target).values(rows).updateEntity(false).execute();
    };
    manager.update = async (target, criteria, changes, ...rest) => {
      await this.beforeWrite(target as AnyEntityTarget, criteria as FindOptionsWhere<ObjectLiteral>);
      return baseManager.update(target, criteria, changes, ...rest);
    };
    manager.delete = async (target, criteria) => {
      await this.beforeWrite(target as AnyEntityTarget, criteria as FindOptionsWhere<ObjectLiteral>);
      return baseManager.delete(target, criteria);
    };
    for (const name of UNRECORDED_WRITES) {
      const write = baseManager[name] as (target: unknown, ...rest: unknown[]) => unknown;
      const guardedWrite = (target: unknown, ...rest: unknown[]) => {
        if (typeof target !== 'function' || findAuditedTable(target) || findPartTable(target))
          throw new Error(`${name} would not be in the audit trail: use insert, update or delete`);
        return write.call(manager, target, ...rest);
      };
      Object.assign(manager, { [name]: guardedWrite });
    }
    this.manager = manager;
  }

  /** Stores one entry for each row that differs. */
  async write(context: ChangeContext): Promise<void> {
    const at = new Date().toISOString();
    const entries: AuditEntry[] = [];
    for await (const row of this.listChangedRows()) entries.push(toEntry(row, at, context));
    for (const chunk of chunks(entries)) await this.baseManager.insert(AuditEntry, chunk);
  }

  private async *listChangedRows(): AsyncGenerator<ChangedRow> {
    for (const [target, rows] of this.rowsBefore) {
      const table = findAuditedTable(target);
      if (!table) continue;
      const currentRows = await this.read(target, table, [...rows.keys()]);
      for (const [id, before] of rows) {
        const after = currentRows.get(id) ?? null;
        const action = toAction(before, after);
        const changes = findChanges(before, after, table);
        if (!action || (action === 'update' && Object.keys(changes).length === 0)) continue;
        const name = String((after ?? before)?.[table.name ?? ''] ?? '');
        yield { action, entity: table.entity, entityId: id, name, changes };
      }
    }
  }

  private async beforeInsert(target: AnyEntityTarget, rows: readonly Row[]): Promise<void> {
    const part = findPartTable(target);
    if (part) return this.remember(part.parent(), [...new Set(rows.map((row) => String(row[part.column])))]);
    if (!findAuditedTable(target)) return;
    const rowsBefore = this.getRowsBeforeWrite(target);
    for (const row of rows) if (!rowsBefore.has(getRowId(row))) rowsBefore.set(getRowId(row), null);
  }

  private async beforeWrite(target: AnyEntityTarget, criteria: FindOptionsWhere<ObjectLiteral>): Promise<void> {
    const part = findPartTable(target);
    if (!part && !findAuditedTable(target)) return;
    const rows: Row[] = await this.baseManager.findBy(target, criteria);
    const ids = rows.map((row) => (part ? String(row[part.column]) : getRowId(row)));
    await this.remember(part ? part.parent() : target, [...new Set(ids)]);
  }

  private async remember(target: AnyEntityTarget, ids: readonly string[]): Promise<void> {
    const table = findAuditedTable(target);
    if (!table) return;
    const rowsBefore = this.getRowsBeforeWrite(target);
    const newIds = ids.filter((id) => !rowsBefore.has(id));
    if (newIds.length === 0) return;
    const currentRows = await this.read(target, table, newIds);
    for (const id of newIds) rowsBefore.set(id, currentRows.get(id) ?? null);
  }

  private getRowsBeforeWrite(target: AnyEntityTarget): Map<string, Row | null> {
    const rows = this.rowsBefore.get(target) ?? new Map<string, Row | null>();
    this.rowsBefore.set(target, rows);
    return rows;
  }

  private async read(target: AnyEntityTarget, table: AuditedTable, ids: readonly string[]): Promise<Map<string, Row>> {
    const { columns, primaryColumns } = this.baseManager.connection.getMetadata(target);
    const key = primaryColumns[0]?.propertyName ?? '_id';
    const omittedColumns = new Set([...UNRECORDED_COLUMNS, ...(table.omit ?? [])]);
    const recordedColumns = columns.map(({ propertyName }) => propertyName).filter((name) => !omittedColumns.has(name));
    const rows = new Map<string, Row>();
    for (const chunk of chunks(ids)) {
      const storedRows: Row[] = await this.baseManager.find(target, {
        where: { [key]: In(chunk) },
        ...(table.parts && { relations: { [table.parts.relation]: true } }),
      });
      for (const row of storedRows) rows.set(getRowId(row), toRecordedRow(row, recordedColumns, table));
    }
    return rows;
  }
}

/** Returns undefined for a row that the transaction created and deleted. */
function toAction(before: Row | null, after: Row | null): ChangedRow['action'] | undefined {
  if (before) return after ? 'update' : 'delete';
  return after ? 'create' : undefined;
}

const toEntry = (
  { changes, ...row }: ChangedRow,
  at: string,
  { actor, requestId, address, token }: ChangeContext,
): AuditEntry => ({
  _id: uuid(),
  at,
  actor: actor.slice(0, 100),
  ...row,
  changes: JSON.stringify(changes),
  requestId: requestId.slice(0, 128),
  address: address.slice(0, 45),
  tokenId: token?._id ?? null,
  tokenName: token?.name ?? null,
  count: 1,
  foldKey: null,
});

const getRowId = (row: Row): string => String(row._id ?? row.id);

function toRecordedRow(row: Row, columns: readonly string[], { parts }: AuditedTable): Row {
  const recordedRow: Row = Object.fromEntries(columns.map((column) => [column, row[column]]));
  const rows = parts && row[parts.relation];
  if (parts && Array.isArray(rows)) recordedRow[parts.relation] = rows.map((part: Row) => part[parts.column]).sort();
  return recordedRow;
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function findChanges(before: Row | null, after: Row | null, { secret = [] }: AuditedTable) {
  const changes: Record<string, FieldChange> = {};
  for (const field of Object.keys(after ?? before ?? {})) {
    const [previous, current] = [before?.[field] ?? null, after?.[field] ?? null];
    if (JSON.stringify(previous) === JSON.stringify(current) || (isEmpty(previous) && isEmpty(current))) continue;
    const maskSecret = (value: unknown) => (secret.includes(field) && !isEmpty(value) ? MASK : value);
    changes[field] = { before: maskSecret(previous), after: maskSecret(current) };
  }
  return changes;
}
