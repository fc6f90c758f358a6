import type { AuditedEntity } from './audit-entry.entity';

/** Describes how the audit trail shows rows of a table. */
export interface AuditedTable {
  entity: AuditedEntity;
  /** Column whose value the audit trail shows as the name of the row. */
  name?: string;
  /** Columns whose change is recorded with masked values. */
  secret?: readonly string[];
  /** Columns that are not recorded, because the product writes them or their content must not outlive the row. */
  omit?: readonly string[];
  /** A related table whose rows are shown as a list of one column's values. */
  parts?: { relation: string; column: string };
}

/** A table whose rows belong to rows of an audited table. */
interface PartTable {
  parent: () => new () => object;
  /** Column with the id of the audited row. */
  column: string;
}

const tables = new Map<unknown, AuditedTable>();
const parts = new Map<unknown, PartTable>();

/** Entity decorator for tables whose changes are recorded in the audit trail. */
export const Audited =
  (table: AuditedTable) =>
  (target: new () => object): void =>
    void tables.set(target, table);

/** Entity decorator for tables whose rows are recorded as parts of another row. */
export const PartOf =
  (parent: () => new () => object, column: string) =>
  (target: new () => object): void =>
    void parts.set(target, { parent, column });

export const findAuditedTable = (target: unknown): AuditedTable | undefined => tables.get(target);
export const findPartTable = (target: unknown): PartTable | undefined => parts.get(target);
