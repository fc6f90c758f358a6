import { Column, type ColumnOptions, PrimaryColumn } from 'typeorm';

/** UUID v7 as text. */
export const Id = () => PrimaryColumn({ name: '_id', type: 'varchar', length: 36 });

/** ISO 8601 UTC with milliseconds, as text: both dialects sort it by time and return it unchanged. */
export const Instant = (options: ColumnOptions = {}) => Column({ ...options, type: 'varchar', length: 24 });

/** A 64-bit integer, which the PostgreSQL driver returns as a string. */
export const Counter = () =>
  Column({ type: 'bigint', default: 0, transformer: { to: (value: number) => value, from: Number } });

/** Row version for `If-Match`, incremented by `nextVersion` alone. */
export const Version = () => Column({ type: 'integer', default: 1 });

/** Columns of every row that records when it was created. */
export abstract class CreatedRow {
  @Id()
  _id: string;

  @Instant()
  createdAt: string;
}

/** Columns of a row that administrators edit. */
export abstract class EditedRow extends CreatedRow {
  @Version()
  version: number;
}

/** An edited row that lists search by text. */
export abstract class SearchedRow extends EditedRow {
  /** Result of `searchTextOf` for the columns that the search covers. */
  @Column({ type: 'text', default: '' })
  searchText: string;
}
