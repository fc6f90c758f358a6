import type { EntityManager } from 'typeorm';
import { migrations } from '../migrations';

export type TransactionCallback<T> = (manager: EntityManager) => Promise<T>;

/** The part of a `Database` that differs between SQLite and PostgreSQL. */
export interface DatabaseEngine {
  /** Connects. @param options.beforeInstall called before an empty database is migrated; it may throw */
  open(options: { migrate: boolean; beforeInstall: () => void }): Promise<void>;
  close(): Promise<void>;
  /** Reopens a failed SQLite writer; on PostgreSQL it does nothing. @throws while the file cannot be written */
  checkWritable(): Promise<void>;
  readonly read: EntityManager;
  readonly report: EntityManager;
  serializedWrite<T>(work: TransactionCallback<T>): Promise<T>;
  concurrentWrite<T>(work: TransactionCallback<T>): Promise<T>;
}

/** Without `invalidWhereValuesBehavior`, `findOneBy({ id: undefined })` returns any row. */
export const commonOptions = { migrations, invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' } } as const;

export type Entities = (new () => object)[];
export type DatabaseEngineOptions = typeof commonOptions & { entities: Entities };
