import { Column, type ColumnOptions, PrimaryColumn } from 'typeorm';

/** Text with a maximum number of characters. */
export const Varchar = (length: number, options: ColumnOptions = {}) => Column('varchar', { ...options, length });

/** UUID v7 as text. */
export const Id = () => PrimaryColumn('varchar', { name: '_id', length: 36 });

/** ISO 8601 UTC with milliseconds as text, which both databases sort by time and return unchanged. */
export const Instant = (options: ColumnOptions = {}) => Varchar(24, options);

/** A 64-bit integer, which the PostgreSQL driver returns as a string. */
export const Counter = () =>
  Column('bigint', { default: 0, transformer: { to: (value: number) => value, from: Number } });

/** Row version for `If-Match`. A change of a value by a person raises it (contract §2). */
export const Version = () => Column('integer', { default: 1 });

/** Columns of every row that records when it was created. */
export abstract class CreatedRow {
  @Id() _id: string;
  @Instant() createdAt: string;
}

/** Columns of a row that administrators edit. */
export abstract class EditedRow extends CreatedRow {
  @Version() version: number;
}

/** An edited row that can be found by text. */
export abstract class SearchedRow extends EditedRow {
  /** Result of `toSearchText` for the columns that the search covers. */
  @Column('text', { default: '' }) searchText: string;
}
