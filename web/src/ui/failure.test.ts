import { failureFields, failureText, isAbort } from './failure';

const refused = (extensions: object, message = 'x') => ({
  name: 'CombinedGraphQLErrors',
  errors: [{ message, extensions }],
});

test("says the server's sentence, else the screen's", () => {
  expect(failureText(refused({ code: 'CONFLICT', error: 'Já existe.' }), 'Falhou.')).toBe('Já existe.');
  expect(failureText(refused({ code: 'BAD_USER_INPUT' }), 'Falhou.')).toBe('Falhou.');
  expect(failureText(new TypeError('Failed to fetch'), 'Falhou.')).toBe('Falhou.');
});

test('names an outage after what failed', () => {
  expect(failureText(refused({ code: 'UPSTREAM_UNAVAILABLE' }, 'Indisponível.'), 'Falhou.')).toBe(
    'Falhou. Indisponível.',
  );
});

test('reads the details first only where the spec does', () => {
  const error = refused({ error: 'Domínio inválido.', details: 'O DNS não aponta para cá.' });
  expect(failureText(error, 'Falhou.')).toBe('Domínio inválido.');
  expect(failureText(error, 'Falhou.', 'details')).toBe('O DNS não aponta para cá.');
});

test('gives one sentence per refused field and nothing that is no sentence', () => {
  expect(failureFields(refused({ fields: { name: 'Já existe.', port: 7 } }))).toEqual({ name: 'Já existe.' });
  expect(failureFields(new Error('x'))).toEqual({});
});

test('knows a call that was given up', () => {
  expect(isAbort(new DOMException('left', 'AbortError'))).toBe(true);
  expect(isAbort(new Error('x'))).toBe(false);
});
