import { getErrorFields, isAbort, toUserError } from './userError';

const createError = (extensions: object, message = 'x') => ({
  name: 'CombinedGraphQLErrors',
  errors: [{ message, extensions }],
});

test('a failure has the message of the server, or else the message of the screen', () => {
  expect(toUserError(createError({ code: 'CONFLICT', error: 'Já existe.' }), 'Falhou.')).toEqual({
    message: 'Já existe.',
  });
  expect(toUserError(createError({ code: 'BAD_USER_INPUT' }), 'Falhou.')).toEqual({ message: 'Falhou.' });
  expect(toUserError(new TypeError('Failed to fetch'), 'Falhou.')).toEqual({ message: 'Falhou.' });
});

test('if the core does not respond, the message of the BFF is the note of the failure', () => {
  expect(toUserError(createError({ code: 'UPSTREAM_UNAVAILABLE' }, 'Indisponível.'), 'Falhou.')).toEqual({
    message: 'Falhou.',
    note: 'Indisponível.',
  });
});

test('details are the message of a failure if the caller prefers them (product §8), and otherwise its note', () => {
  const error = createError({ error: 'Domínio inválido.', details: 'O DNS não aponta para cá.' });
  expect(toUserError(error, 'Falhou.')).toEqual({ message: 'Domínio inválido.', note: 'O DNS não aponta para cá.' });
  expect(toUserError(error, 'Falhou.', 'details')).toEqual({ message: 'O DNS não aponta para cá.' });
});

test('each refused field has a message, and messages that are not texts are left out', () => {
  expect(getErrorFields(createError({ fields: { name: 'Já existe.', port: 7 } }))).toEqual({ name: 'Já existe.' });
  expect(getErrorFields(new Error('x'))).toEqual({});
});

test('an aborted call is told apart from a failed call', () => {
  expect(isAbort(new DOMException('left', 'AbortError'))).toBe(true);
  expect(isAbort(new Error('x'))).toBe(false);
});
