import { failureFields, failureOf, isAbort } from './failure';

const refused = (extensions: object, message = 'x') => ({
  name: 'CombinedGraphQLErrors',
  errors: [{ message, extensions }],
});

test("says the server's sentence, else the screen's, and nothing else", () => {
  expect(failureOf(refused({ code: 'CONFLICT', error: 'Já existe.' }), 'Falhou.')).toEqual({ sentence: 'Já existe.' });
  expect(failureOf(refused({ code: 'BAD_USER_INPUT' }), 'Falhou.')).toEqual({ sentence: 'Falhou.' });
  expect(failureOf(new TypeError('Failed to fetch'), 'Falhou.')).toEqual({ sentence: 'Falhou.' });
});

test('an outage stands beside the sentence', () => {
  expect(failureOf(refused({ code: 'UPSTREAM_UNAVAILABLE' }, 'Indisponível.'), 'Falhou.')).toEqual({
    sentence: 'Falhou.',
    note: 'Indisponível.',
  });
});

test('reads the details first only where product §8 does; elsewhere they stand beside the error', () => {
  const error = refused({ error: 'Domínio inválido.', details: 'O DNS não aponta para cá.' });
  expect(failureOf(error, 'Falhou.')).toEqual({ sentence: 'Domínio inválido.', note: 'O DNS não aponta para cá.' });
  expect(failureOf(error, 'Falhou.', 'details')).toEqual({ sentence: 'O DNS não aponta para cá.' });
});

test('gives one sentence per refused field and nothing that is no sentence', () => {
  expect(failureFields(refused({ fields: { name: 'Já existe.', port: 7 } }))).toEqual({ name: 'Já existe.' });
  expect(failureFields(new Error('x'))).toEqual({});
});

test('knows a call that was given up', () => {
  expect(isAbort(new DOMException('left', 'AbortError'))).toBe(true);
  expect(isAbort(new Error('x'))).toBe(false);
});
