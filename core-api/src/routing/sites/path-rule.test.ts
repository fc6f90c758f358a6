import { measureFastestRunMs } from '../../testing/cost';
import { compilePathRule } from './path-rule';

test.each([
  ['/a', '/a/', {}],
  ['/a/*', '/a', { splat: '' }],
  ['/a/*', '/a/b/c', { splat: 'b/c' }],
  ['/*', '/', { splat: '' }],
  ['/:x/*', '/a/b/c/', { x: 'a', splat: 'b/c/' }],
  ['/:x/y', '/a/y/', { x: 'a' }],
  ['/a*', '/abc/d', { splat: 'bc/d' }],
  ['/*.html', '/a/b.html', { splat: 'a/b' }],
  ['/:x/b*c/:y/d', '/a/b/1/c/2/c/e/d', { x: 'a', splat: '/1/c/2/', y: 'e' }],
  ['/ab*bc', '/abbc', { splat: '' }],
])('the rule %s matches the path %s', (rule, path, values) =>
  expect(compilePathRule(rule)?.match(path)).toEqual(values),
);

test.each([
  ['/a', '/a/b'],
  ['/a/*', '/ab'],
  ['/:x', '/'],
  ['/:x', '/a/b'],
  ['/ab*bc', '/abc'],
  ['/*/a/:x', '/a/b'],
  ['/x/*/:y', '/x/y'],
  ['/*.html', '/a.html/b'],
])('the rule %s does not match the path %s', (rule, path) =>
  expect(compilePathRule(rule)?.match(path)).toBeUndefined(),
);

test.each([
  ['a path without a leading slash', 'a'],
  ['two stars', '/*/*'],
  ['a repeated name', '/:x/:x'],
  ['the reserved name of the *', '/:splat/*'],
  ['1,025 characters', `/${'a'.repeat(1024)}`],
])('%s is refused', (_case, rule) => expect(compilePathRule(rule)).toBeUndefined());

test('the segments after the * are matched at one position only, not at every possible position', () => {
  const names = Array.from({ length: 150 }, (_, index) => `/:v${index}`).join('');
  const rule = compilePathRule(`/*b${names}/z`);
  const shortRule = compilePathRule('/*b/z');
  const path = `/${'b/'.repeat(8_000)}`;
  const measureRepeated = (measuredRule: typeof rule) =>
    measureFastestRunMs(() => Array.from({ length: 20 }, () => measuredRule?.match(path)));
  expect(measureRepeated(rule) / measureRepeated(shortRule)).toBeLessThan(20);
});

test('the slash at the end of a long path is found in constant time', () => {
  const rule = compilePathRule('/a');
  const measureMany = (path: string) =>
    measureFastestRunMs(() => Array.from({ length: 2_000 }, () => rule?.match(path)));
  expect(measureMany('/a'.repeat(8_000)) / measureMany('/a/b')).toBeLessThan(20);
});
