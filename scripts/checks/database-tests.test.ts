import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { listDatabaseTests, POSTGRES_ONLY_TESTS, SQLITE_ONLY_TESTS } from '../testing/database-tests';
import { ROOT } from '../testing/program';

/** Lists the tests of the core that a project of Jest runs, as paths below core-api/src. */
function listTests(project: string): string[] {
  const args = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests', '--selectProjects', project];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line.endsWith('.test.ts'))
    .map((line) => line.split('core-api/src/')[1] ?? line);
}

test('every core test that opens a database runs on both databases, or is listed for one of them', () => {
  const sqliteOnlyTests = Object.keys(SQLITE_ONLY_TESTS);
  expect(listTests('core-api on PostgreSQL').concat(sqliteOnlyTests).sort()).toEqual(listDatabaseTests());
  const testsOnSqlite = listTests('core-api').filter((file) => listDatabaseTests().includes(file));
  expect(testsOnSqlite.concat(POSTGRES_ONLY_TESTS).sort()).toEqual(listDatabaseTests());
});
