import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program';

const SOURCE = join(ROOT, 'core-api/src');

/** Tests below core-api/src that open a database but run on SQLite only, each with its reason. */
export const SQLITE_ALONE: Record<string, string> = {
  'features/backups/backups.test.ts': 'a backup reads PostgreSQL by the copy that `backup.test.ts` runs on both',
  'features/alerts/alert-conditions.test.ts':
    'the tables that conditions are read from are tested on both by their features',
  'features/alerts/clock-set-back.test.ts': 'times are compared in the core; `alerts-on-postgres.test.ts` sends alerts',
  'bin/start.test.ts':
    'what a start prints is decided before a database opens; `platform/database/start.test.ts` starts on both',
  'edge/accepting.test.ts': 'connections are accepted and shared between workers without a database',
  'edge/client-limit.test.ts': 'connections are counted and closed without a database',
  'edge/gateway.test.ts': 'the path of a request knows no database',
  'edge/gateway-policies.test.ts': 'the path of a request knows no database',
  'edge/hostile.test.ts': 'a row from before its rule is written into the SQLite file itself',
  'edge/log-output.test.ts': 'access logs know no database; `operations.test.ts` stores counts in both',
  'edge/proxy-socket.test.ts': 'the path of a request knows no database',
  'edge/start.test.ts':
    'ports, sockets and outputs know no database; `core-outage.test.ts` starts an edge before both databases',
  'edge/wire.test.ts': 'the path of a request knows no database',
  'edge/static/sites.test.ts': 'the path of a request knows no database',
  'features/gateway/manifest/manifest.test.ts': 'of a service whose manifest is read only the address is stored',
  'features/sites/deploy.test.ts': 'the programs that publish know no database; `publishing.test.ts` stores versions',
  'features/sites/packages.test.ts':
    'packages are read by threads without a database; `publishing.test.ts` stores versions',
  'features/sites/slow-packages.test.ts': 'packages are read by threads without a database',
  'platform/http/access.test.ts':
    'who may call an operation is decided before its rows are read; `accounts/access.test.ts` reads rights from both',
  'platform/http/answers.test.ts': 'fields are refused before a row is read; `contract.test.ts` reads answers of both',
  'platform/http/sentences.test.ts': 'fields are refused before a row is read',
  'platform/http/body.test.ts': 'bodies are read before any row',
  'operations/seed/seed-tables.test.ts': 'what is seeded is looked at in a SQLite file of its own, whatever runs',
};

/** Source text of a test that opens a database: a core, the data source, or a driver. */
const OPENS = /\bnew Core\(|\bcreateDatabase\(|\bnew DataSource\(|from '(?:pg|sqlite3)'/;

/** Tests of the core that open a database, below core-api/src. */
export const databaseTests = (): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && OPENS.test(readFileSync(join(SOURCE, file), 'utf8')))
    .sort();

/** Jest patterns of the tests that run on PostgreSQL too. */
export const postgresTests = (): string[] =>
  databaseTests()
    .filter((file) => !(file in SQLITE_ALONE))
    .map((file) => `<rootDir>/core-api/src/${file}`);
