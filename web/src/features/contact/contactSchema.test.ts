import { refusedFields } from '../../testing/refusedFields';
import { contactSchema } from './contactSchema';

const values = { name: 'Ana', email: 'ana@exemplo.com', contactInfo: '', message: 'Olá', website: '' };

test('a complete message is accepted', () => {
  expect(refusedFields(contactSchema, values)).toEqual([]);
});

test.each(['name', 'message'] as const)('the field %s with only spaces counts as missing', (field) => {
  expect(refusedFields(contactSchema, { ...values, [field]: '  \n ' })).toEqual([field]);
});

test('an e-mail address of only spaces counts as missing', () => {
  expect(new Set(refusedFields(contactSchema, { ...values, email: '  ' }))).toEqual(new Set(['email']));
});

test.each(['ana', 'ana@', '@exemplo.com', 'ana@exemplo', 'a na@exemplo.com', 'ana@@exemplo.com'])(
  '%s is refused as an e-mail address',
  (email) => {
    expect(refusedFields(contactSchema, { ...values, email })).toEqual(['email']);
  },
);

test.each(['ana+ideia@sub.exemplo.com.br', ' ana@exemplo.com ', 'josé@exemplo.com'])(
  'the e-mail address %s is accepted',
  (email) => {
    expect(refusedFields(contactSchema, { ...values, email })).toEqual([]);
  },
);
