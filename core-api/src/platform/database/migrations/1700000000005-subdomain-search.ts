import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

interface Row {
  _id: string;
  subdomain: string;
  description: string;
}

const CHUNK = 1_000;

const createSearchText = ({ subdomain, description }: Row): string =>
  `${subdomain}\n${description}`
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Adds the text that a search for subdomains matches, without case and diacritics. */
export class SubdomainSearch1700000000005 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subdomains ADD COLUMN "searchText" text NOT NULL DEFAULT ''`);
    for (let last = ''; ; ) {
      const rows: Row[] = await runner.query(
        `SELECT _id, subdomain, description FROM subdomains WHERE _id > $1 ORDER BY _id LIMIT ${CHUNK}`,
        [last],
      );
      for (const row of rows) {
        await runner.query(`UPDATE subdomains SET "searchText" = $1 WHERE _id = $2`, [createSearchText(row), row._id]);
      }
      const lastRow = rows.at(-1);
      if (!lastRow) return;
      last = lastRow._id;
    }
  }
}
