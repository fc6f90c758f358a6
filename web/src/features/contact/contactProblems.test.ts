import { contactProblems, problemSummary } from './contactProblems';

const values = { name: 'Ana', email: 'ana@exemplo.com', contactInfo: '', message: 'Olá' };

test('a complete message has no problem', () => {
  expect(contactProblems(values)).toEqual({});
  expect(problemSummary(values)).toBeUndefined();
});

test.each(['name', 'email', 'message'] as const)('%s of spaces alone counts as missing', (field) => {
  const bad = { ...values, [field]: '  \n ' };
  expect(Object.keys(contactProblems(bad))).toEqual([field]);
  expect(problemSummary(bad)).toBe('Por favor, preencha todos os campos');
});

test.each(['ana', 'ana@', '@exemplo.com', 'ana@exemplo', 'a na@exemplo.com', 'ana@@exemplo.com'])(
  '%s is no e-mail address',
  (email) => {
    expect(problemSummary({ ...values, email })).toBe('Informe um e-mail válido.');
  },
);

test.each(['ana+ideia@sub.exemplo.com.br', ' ana@exemplo.com ', 'josé@exemplo.com'])('%s may go', (email) => {
  expect(problemSummary({ ...values, email })).toBeUndefined();
});
