import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../testing/whole-graph';

const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts'));
const sources = tests.map((file) => readFileSync(join(__dirname, file), 'utf8')).join('\n');

test('no test of this folder is skipped, because the check of the fields reads the code of all tests', () => {
  const skippedPattern = /\b(?:(?:test|it|describe)\b[\w.]*\.(?:skip|only|todo|failing)|[xf](?:test|it|describe))\b/g;
  expect(sources.match(skippedPattern)).toBeNull();
});

test('the tests of this folder run every field of the graph', () => {
  const code = sources.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const runs = [...code.matchAll(/\bgraph\.run(?:<.+>)?\(\s*'(\w+)'/g)].map(([, field]) => field);
  /**
   * `GraphStack` itself runs `login` and `confirmPassword`. `acknowledgeAlert` is only refused, because no test waits
   * for an alert.
   */
  const otherFields = ['login', 'confirmPassword', 'acknowledgeAlert'];
  expect([...documents.keys()].filter((field) => ![...runs, ...otherFields].includes(field))).toEqual([]);
});
