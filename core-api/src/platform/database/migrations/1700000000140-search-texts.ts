import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

const CHUNK = 500;

/** Columns that the search matches, by table. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  projects: ['name', 'dbPrefix'],
  tenants: ['name', 'subdomain', 'dbName', 'responsibleName', 'responsibleContact'],
  api_keys: ['name', 'prefix', 'note', 'permissions'],
  gateway_routes: ['origin', 'destination', 'permission'],
};

/** Permissions are a JSON list of strings. */
const toText = (column: string, value: string | null): string =>
  column === 'permissions' && value !== null ? JSON.parse(value).join('\n') : (value ?? '');

const createSearchText = (row: Readonly<Record<string, string | null>>, columns: readonly string[]): string =>
  columns
    .map((column) => toText(column, row[column] ?? null))
    .filter((text) => text !== '')
    .join('\n')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Adds the search text of long lists, without case and diacritics. VALUES names its columns `column1`, `column2`. */
export class SearchTexts1700000000140 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(TABLES)) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN "searchText" text NOT NULL DEFAULT ''`);
      const names = columns.map((column) => `"${column}"`).join(', ');
      for (let last = ''; ; ) {
        const rows: Record<string, string | null>[] = await runner.query(
          `SELECT _id, ${names} FROM ${table} WHERE _id > $1 ORDER BY _id LIMIT ${CHUNK}`,
          [last],
        );
        if (rows.length === 0) break;
        const placeholders = rows.map((_row, index) => `($${2 * index + 1}, $${2 * index + 2})`);
        await runner.query(
          `UPDATE ${table} SET "searchText" = known.column2 FROM (VALUES ${placeholders.join(', ')}) AS known
            WHERE ${table}._id = known.column1`,
          rows.flatMap((row) => [row._id, createSearchText(row, columns)]),
        );
        last = rows.at(-1)?._id ?? '';
      }
    }
  }
}
