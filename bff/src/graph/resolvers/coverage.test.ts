import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentsByField } from '../../testing/whole-graph';

const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts'));
const sources = tests.map((file) => readFileSync(join(__dirname, file), 'utf8')).join('\n');

test('no test of the graph is skipped', () => {
  const skippedPattern = /\b(?:(?:test|it|describe)\b[\w.]*\.(?:skip|only|todo|failing)|[xf](?:test|it|describe))\b/g;
  expect(sources.match(skippedPattern)).toBeNull();
});

test('the tests of the graph run every field of Query and Mutation', () => {
  const code = sources.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const runs = [...code.matchAll(/\bgraph\.run(?:<.+>)?\(\s*'(\w+)'/g)].map(([, field]) => field);
  /**
   * `GraphStack` itself runs `login` and `confirmPassword`. The test of `acknowledgeAlert` has no open alert, so it
   * expects a refusal and uses `graph.request`.
   */
  const otherFields = ['login', 'confirmPassword', 'acknowledgeAlert'];
  expect([...documentsByField.keys()].filter((field) => ![...runs, ...otherFields].includes(field))).toEqual([]);
});
