import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program';

const SOURCE = join(ROOT, 'core-api/src');

/** Tests that open a database and yet run on SQLite alone, below core-api/src, each with its reason. */
export const SQLITE_ALONE: Record<string, string> = {
  'edge/gateway.test.ts': 'the path of a request knows no database',
  'edge/gateway-policies.test.ts': 'the path of a request knows no database',
  'edge/hostile.test.ts': 'a row from before its rule is written into the SQLite file itself',
  'edge/wire.test.ts': 'the path of a request knows no database',
  'edge/sites/sites.test.ts': 'the path of a request knows no database',
  'gateway/manifest/manifest.test.ts': 'of a service whose manifest is read only the address is stored',
  'http/body.test.ts': 'bodies are read before any row',
  'seed/seed-tables.test.ts': 'what is seeded is looked at in a SQLite file of its own, whatever runs',
};

/** What a test names when it opens a database: a core, the data source, or a driver. */
const OPENS = /\bnew Core\(|\bcreateDatabase\(|\bnew DataSource\(|from '(?:pg|sqlite3)'/;

/** Tests of the core that open a database, below core-api/src. */
export const databaseTests = (): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && OPENS.test(readFileSync(join(SOURCE, file), 'utf8')))
    .sort();

/** Jest's patterns of those that run on PostgreSQL as well. */
export const postgresTests = (): string[] =>
  databaseTests()
    .filter((file) => !(file in SQLITE_ALONE))
    .map((file) => `<rootDir>/core-api/src/${file}`);
