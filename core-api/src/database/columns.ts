import { Column, type ColumnOptions, PrimaryColumn } from 'typeorm';

/** UUID v7 as text. */
export const Id = () => PrimaryColumn({ name: '_id', type: 'varchar', length: 36 });

/** ISO 8601 UTC text with milliseconds on both dialects: sorts by time and reads back as it was answered. */
export const Instant = (options: ColumnOptions = {}) => Column({ ...options, type: 'varchar', length: 24 });

/** A 64-bit integer, which the PostgreSQL driver returns as a string. */
export const Counter = () =>
  Column({ type: 'bigint', default: 0, transformer: { to: (value: number) => value, from: Number } });

/** Raised by each change that a person makes (`nextVersion`), and by nothing else. */
export const Version = () => Column({ type: 'integer', default: 1 });
