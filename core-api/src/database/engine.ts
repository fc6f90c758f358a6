import type { EntityManager } from 'typeorm';
import { migrations } from './migrations';

export type Work<T> = (manager: EntityManager) => Promise<T>;

/** One dialect's side of a `Database`. */
export interface Engine {
  open(options: { migrate: boolean }): Promise<void>;
  close(): Promise<void>;
  /** Reopens a connection that failed. @throws while it cannot be written */
  proveWriting(): Promise<void>;
  readonly read: EntityManager;
  readonly report: EntityManager;
  change<T>(work: Work<T>): Promise<T>;
  append<T>(work: Work<T>): Promise<T>;
}

/** `find({ where: { id: undefined } })` must fail instead of finding the first row. */
export const commonOptions = { migrations, invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' } } as const;

export type Entities = (new () => object)[];
export type EngineOptions = typeof commonOptions & { entities: Entities };
