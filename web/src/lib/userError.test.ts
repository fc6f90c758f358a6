import { errorFields, isAbort, toUserError } from './userError';

const refused = (extensions: object, message = 'x') => ({
  name: 'CombinedGraphQLErrors',
  errors: [{ message, extensions }],
});

test("says the server's message, else the screen's, and nothing else", () => {
  expect(toUserError(refused({ code: 'CONFLICT', error: 'Já existe.' }), 'Falhou.')).toEqual({ message: 'Já existe.' });
  expect(toUserError(refused({ code: 'BAD_USER_INPUT' }), 'Falhou.')).toEqual({ message: 'Falhou.' });
  expect(toUserError(new TypeError('Failed to fetch'), 'Falhou.')).toEqual({ message: 'Falhou.' });
});

test('an outage stands beside the sentence', () => {
  expect(toUserError(refused({ code: 'UPSTREAM_UNAVAILABLE' }, 'Indisponível.'), 'Falhou.')).toEqual({
    message: 'Falhou.',
    note: 'Indisponível.',
  });
});

test('reads the details first only where product §8 does; elsewhere they stand beside the error', () => {
  const error = refused({ error: 'Domínio inválido.', details: 'O DNS não aponta para cá.' });
  expect(toUserError(error, 'Falhou.')).toEqual({ message: 'Domínio inválido.', note: 'O DNS não aponta para cá.' });
  expect(toUserError(error, 'Falhou.', 'details')).toEqual({ message: 'O DNS não aponta para cá.' });
});

test('gives one message per refused field and nothing that is no sentence', () => {
  expect(errorFields(refused({ fields: { name: 'Já existe.', port: 7 } }))).toEqual({ name: 'Já existe.' });
  expect(errorFields(new Error('x'))).toEqual({});
});

test('knows a call that was given up', () => {
  expect(isAbort(new DOMException('left', 'AbortError'))).toBe(true);
  expect(isAbort(new Error('x'))).toBe(false);
});
