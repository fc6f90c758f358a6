import { toContactLink } from './contactLink';

test.each([
  ['(11) 91234-5678', 'https://wa.me/5511912345678'],
  ['+55 11 91234-5678', 'https://wa.me/5511912345678'],
  ['5511912345678', 'https://wa.me/5511912345678'],
  ['WhatsApp: 11 3456-7890', 'https://wa.me/551134567890'],
  ['+351 912 345 678', 'https://wa.me/351912345678'],
  ['ana@exemplo.com.br', 'mailto:ana@exemplo.com.br'],
  ['@ana no Telegram', null],
  ['ramal 1234', null],
  ['', null],
])('the link of the contact "%s" is %s', (contact, link) => {
  expect(toContactLink(contact)).toBe(link);
});
