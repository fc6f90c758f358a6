import { findRefusedFields } from '../../testing/refusedFields';
import { contactSchema } from './contactSchema';

const values = { name: 'Ana', email: 'ana@exemplo.com', contactInfo: '', message: 'Olá', website: '' };

test('a complete message is accepted', () => {
  expect(findRefusedFields(contactSchema, values)).toEqual([]);
});

test.each(['name', 'message'] as const)('the field %s with only spaces counts as missing', (field) => {
  expect(findRefusedFields(contactSchema, { ...values, [field]: '  \n ' })).toEqual([field]);
});

test('an e-mail address of only spaces is refused, by both rules of the field', () => {
  expect(new Set(findRefusedFields(contactSchema, { ...values, email: '  ' }))).toEqual(new Set(['email']));
});

test.each(['ana', 'ana@', '@exemplo.com', 'ana@exemplo', 'a na@exemplo.com', 'ana@@exemplo.com'])(
  '%s is refused as an e-mail address',
  (email) => {
    expect(findRefusedFields(contactSchema, { ...values, email })).toEqual(['email']);
  },
);

test.each(['ana+ideia@sub.exemplo.com.br', ' ana@exemplo.com ', 'josé@exemplo.com'])(
  'the e-mail address %s is accepted',
  (email) => {
    expect(findRefusedFields(contactSchema, { ...values, email })).toEqual([]);
  },
);
