import { checkTest, pathIn, testInput, testValues } from './testForm';

test('begins with the method and a path of the route', () => {
  expect(testValues({ methods: ['POST'], origin: '/vendas/:id/arquivos/*' })).toMatchObject({
    method: 'POST',
    path: '/vendas/1/arquivos/1',
  });
  expect(testValues()).toMatchObject({ method: 'GET', path: '' });
});

test.each([
  ['/vendas?x=1', '/vendas?x=1'],
  ['http://api.localhost:3000/vendas/é?x=a b#topo', '/vendas/%C3%A9?x=a%20b'],
  ['/já%20codificado', '/j%C3%A1%20codificado'],
  ['https://api.exemplo.com.br', '/'],
])('%s is asked as %s', (typed, sent) => {
  expect(checkTest({ ...testValues(), path: typed })).toEqual({});
  expect(pathIn(typed)).toBe(sent);
});

test('a path begins with a slash; what is empty is not sent', () => {
  for (const path of ['', '  ', 'vendas']) expect(checkTest({ ...testValues(), path })).toHaveProperty('path');
  expect(testInput({ ...testValues(), path: '/a', key: ' ', address: '' })).toMatchObject({ key: null, address: null });
});
