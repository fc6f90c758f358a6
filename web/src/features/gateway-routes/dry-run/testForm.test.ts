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

test('the path of a dry run must begin with a slash or be a URL, and empty fields are sent as null', () => {
  for (const path of ['', '  ', 'vendas']) {
    expect(findRefusedFields(testSchema, { ...toTestValues(), path })).toEqual(['path']);
  }
  expect(toTestInput({ ...toTestValues(), path: '/a', key: ' ', address: '' })).toMatchObject({
    key: null,
    address: null,
  });
});
