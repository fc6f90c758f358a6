import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../testing/whole-graph';

test('the tests of this folder run every field of the graph', () => {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts'));
  const sources = tests.map((file) => readFileSync(join(__dirname, file), 'utf8')).join('\n');
  const runs = [...sources.matchAll(/\bgraph\.run(?:<.+>)?\(\s*'(\w+)'/g)].map(([, field]) => field);
  /**
   * `GraphStack` runs the first two. The tests only see an acknowledgement refused, because none of them waits for an
   * alert.
   */
  const otherFields = ['login', 'confirmPassword', 'acknowledgeAlert'];
  expect([...documents.keys()].filter((field) => ![...runs, ...otherFields].includes(field))).toEqual([]);
});
