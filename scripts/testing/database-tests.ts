import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program';

const SOURCE = join(ROOT, 'core-api/src');

/** Tests below core-api/src that open a database but run on SQLite only, with the reason. "Both" means both databases. */
export const SQLITE_ONLY_TESTS: Record<string, string> = {
  'features/accounts/accounts.test.ts':
    'tokens and passwords are checked in the core; `access.test.ts` logs in on both',
  'features/accounts/logins/login-work.test.ts': 'passwords are hashed without a database',
  'features/backups/backups.test.ts': 'a backup of PostgreSQL copies its rows, which `backup.test.ts` tests on both',
  'features/alerts/alerts.test.ts':
    'messages are written in the core; `alert-engine.test.ts` stores alerts in both, `alerts-on-postgres.test.ts` sends them',
  'features/alerts/conditions/alert-conditions.test.ts':
    'conditions are found in tables of several features, whose own tests read these tables on both',
  'features/alerts/delivery/alerts-after-a-kill.test.ts':
    'a restarted core reads alerts like any other core; `outbox-worker.test.ts` and `leased-job.test.ts` claim rows of both',
  'features/alerts/conditions/clock-set-back.test.ts':
    'times are compared in the core; `alerts-on-postgres.test.ts` sends alerts',
  'features/alerts/conditions/domain-alerts.test.ts':
    'states of domains are compared in the core; `domains.test.ts` reads them from both',
  'bin/start.test.ts':
    'the output of a start is decided before a database opens; `platform/database/connection/start.test.ts` starts on both',
  'edge/e2e/process/accepting.test.ts': 'connections are accepted and shared between workers without a database',
  'edge/e2e/requests/certificate-ask.test.ts':
    'the edge answers from its configuration; `domains.test.ts` stores states of domains in both',
  'edge/e2e/process/client-limit.test.ts': 'connections are counted and closed without a database',
  'edge/e2e/requests/gateway.test.ts': 'requests are served without a database',
  'edge/e2e/requests/gateway-cors.test.ts': 'requests are served without a database',
  'edge/e2e/requests/gateway-instances.test.ts': 'requests are served without a database',
  'edge/e2e/requests/gateway-policies.test.ts': 'requests are served without a database',
  'edge/e2e/requests/gateway-requests.test.ts':
    'the edge counts and logs requests; `usage.test.ts` and `requests.test.ts` read counts and log from both',
  'edge/e2e/requests/hostile.test.ts':
    'the test writes an old row, which today’s rules would refuse, into the SQLite file itself',
  'edge/e2e/requests/hosts.test.ts': 'hosts are served without a database; `rollout.test.ts` waits for saves in both',
  'edge/e2e/process/log-output.test.ts':
    'access logs are written without a database; `usage-delivery.test.ts` stores counts in both',
  'edge/e2e/process/operations.test.ts':
    'workers are replaced and drained without a database; `usage-delivery.test.ts` stores counts in both, also after a lock, and `rollout.test.ts` waits for saves',
  'edge/e2e/process/other-installation.test.ts':
    'the edge compares the ids of two installations; `rollout.test.ts` reads a configuration from both',
  'edge/e2e/process/other-user.test.ts':
    'the test is about users of the system and their files; `postgres-role.test.ts` tests roles of the database',
  'edge/e2e/process/start.test.ts':
    'ports, sockets and outputs need no database; `database-state.test.ts` starts an edge before the database, on both',
  'edge/e2e/requests/trusted-proxy.test.ts': 'requests are served without a database',
  'edge/e2e/requests/websockets.test.ts': 'requests are served without a database',
  'edge/e2e/requests/wire.test.ts': 'requests are served without a database',
  'edge/static/sites.test.ts': 'requests are served without a database',
  'features/contact/contact.test.ts':
    'messages are sent to Telegram and by mail; `messages.test.ts` and `contact-limits.test.ts` store them in both, `outbox-worker.test.ts` claims deliveries',
  'features/gateway/dry-run.test.ts': 'a dry run decides without a database',
  'features/gateway/gateway.test.ts':
    'entities are written and sorted as in `routes.test.ts`, `tenants.test.ts` and `lists.test.ts`, which run on both',
  'features/gateway/manifest/manifest.test.ts': 'reading a manifest needs only the stored URL of its service',
  'features/gateway/manifest/manifest-import.test.ts': 'a document is read with the stored URL of its service only',
  'features/host-policies/host-policies.test.ts':
    'the edge enforces rules without a database; `publishing.test.ts` stores rules and `login-limits.test.ts` failures in both',
  'features/host-policies/host-test.test.ts':
    'the response is predicted in the core; `publishing.test.ts` stores rules and `login-limits.test.ts` failures in both',
  'features/projects/projects.test.ts': 'projects are written like tenants, which `tenants.test.ts` does on both',
  'features/settings/settings.test.ts':
    'the settings are one row, which `replace-secret.test.ts` writes and reads on both',
  'features/sites/deploy.test.ts': 'the programs that publish use REST only; `publishing.test.ts` stores versions',
  'features/sites/packages.test.ts':
    'packages are read by threads without a database; `publishing.test.ts` stores versions',
  'features/sites/slow-packages.test.ts': 'packages are read by threads without a database',
  'features/sites/uploads.test.ts':
    'an upload marks one row; `publishing.test.ts` stores versions, `garbage-collection.test.ts` removes uploads of both',
  'features/sites/version-responses.test.ts':
    'the edge serves files without a database; `publishing.test.ts` stores and serves versions of both',
  'features/static-folders/static-folders.test.ts': 'folders are created on the disk',
  'features/suggestions/suggestions.test.ts': 'a suggestion comes from a model, a URL or a folder',
  'features/target-health/target-health.test.ts':
    'targets are checked without a database; `health-recorder.test.ts` and `removed-machine.test.ts` read results of both',
  'features/tokens/tokens.test.ts':
    'scopes are checked in the core; `lost-rights.test.ts` reads tokens and their end from both',
  'platform/http/access/access.test.ts':
    'access to an operation is decided before its rows are read; `accounts/access.test.ts` reads rights from both',
  'platform/http/openapi/contract.test.ts':
    'the document and refusals need no row; `random-input.test.ts` sends the operations of the document to both',
  'platform/http/openapi/declared-statuses.test.ts':
    'fields are refused before a row is read; `random-input.test.ts` reads responses of both',
  'platform/secrets/secrets.test.ts':
    'the tests open SQLite files of their own; `replace-secret.test.ts` re-encrypts the rows of both',
  'platform/http/input/field-messages.test.ts': 'fields are refused before a row is read',
  'platform/http/input/body.test.ts': 'bodies are refused before a row is read',
  'operations/backup/sites-backup.test.ts':
    'the copied rows, in a SQLite file for either database, select the files; `backup.test.ts` copies rows of both',
  'operations/seed/seed-tables.test.ts': 'the test always checks the seeded rows in a SQLite file of its own',
};

/** Tests below core-api/src that run on PostgreSQL only: a SQLite file serves one machine and has no network or roles. */
export const POSTGRES_ONLY_TESTS: readonly string[] = [
  'edge/config-sync/postgres-notifications.test.ts',
  'edge/e2e/process/postgres-role.test.ts',
  'edge/e2e/process/silent-database.test.ts',
  'features/alerts/delivery/alerts-on-postgres.test.ts',
  'features/sites/several-machines.test.ts',
  'platform/database/connection/unavailable.test.ts',
];

/** Matches the source of a test that opens a database: it starts a core, makes a data source, or imports a driver. */
const OPENS_DATABASE = /\bnew Core\(|\bcreateDatabase\(|\bnew DataSource\(|from '(?:pg|sqlite3)'/;

/** Lists the tests of the core that open a database, relative to core-api/src. */
export const listDatabaseTests = (): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && OPENS_DATABASE.test(readFileSync(join(SOURCE, file), 'utf8')))
    .sort();

/** Lists Jest patterns of the tests that also run on PostgreSQL. */
export const listPostgresTests = (): string[] =>
  listDatabaseTests()
    .filter((file) => !(file in SQLITE_ONLY_TESTS))
    .map((file) => `<rootDir>/core-api/src/${file}`);
