/** A telephone number of ten characters or more, as people type it: `+55 (11) 91234-5678`. */
const PHONE = /\+?\(?\d[\d\s().-]{8,}\d/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const BRAZIL_CODE = '55';

/**
 * The link of a contact: WhatsApp for a telephone number (a number without a country code is Brazilian), `mailto:`
 * for an e-mail address.
 * @returns null for any other text
 */
export function toContactLink(contact: string): string | null {
  const text = contact.trim();
  if (EMAIL.test(text)) return `mailto:${text}`;
  const phone = PHONE.exec(text)?.[0];
  if (phone === undefined) return null;
  const digits = phone.replace(/\D/g, '');
  const isNational = !phone.startsWith('+') && (digits.length === 10 || digits.length === 11);
  const internationalNumber = isNational ? BRAZIL_CODE + digits : digits;
  return internationalNumber.length >= 10 && internationalNumber.length <= 15
    ? `https://wa.me/${internationalNumber}`
    : null;
}
