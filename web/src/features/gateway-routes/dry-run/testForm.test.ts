import { findRefusedFields } from '../../../testing/refusedFields';
import { testSchema, toPath, toTestInput, toTestValues } from './testForm';

test('the dry run of a route starts with its first method and a path that matches its origin', () => {
  expect(toTestValues({ methods: ['POST'], origin: '/vendas/:id/arquivos/*' })).toMatchObject({
    method: 'POST',
    path: '/vendas/1/arquivos/1',
  });
  expect(toTestValues()).toMatchObject({ method: 'GET', path: '' });
});

test.each([
  ['/vendas?x=1', '/vendas?x=1'],
  ['http://api.localhost:3000/vendas/é?x=a b#topo', '/vendas/%C3%A9?x=a%20b'],
  ['/já%20codificado', '/j%C3%A1%20codificado'],
  ['https://api.exemplo.com.br', '/'],
])('the typed path %s is sent as %s', (typedPath, sentPath) => {
  expect(findRefusedFields(testSchema, { ...toTestValues(), path: typedPath })).toEqual([]);
  expect(toPath(typedPath)).toBe(sentPath);
});

test.each(['', '  ', 'vendas'])('the typed path "%s" is refused', (path) => {
  expect(findRefusedFields(testSchema, { ...toTestValues(), path })).toEqual(['path']);
});

test('an empty key and an empty address are sent as null', () => {
  const values = { ...toTestValues(), path: '/a', key: ' ', address: '' };
  expect(toTestInput(values)).toMatchObject({ key: null, address: null });
});
