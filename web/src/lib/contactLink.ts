/** From ten digits, as people type a telephone number: `+55 (11) 91234-5678`. */
const PHONE = /\+?\(?\d[\d\s().-]{8,}\d/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const COUNTRY = '55';

/**
 * The link of a contact: WhatsApp for a telephone number (a number without a country is Brazilian), a mail for an address.
 * @returns null for any other text
 */
export function contactLink(contact: string): string | null {
  const text = contact.trim();
  if (EMAIL.test(text)) return `mailto:${text}`;
  const written = PHONE.exec(text)?.[0];
  if (written === undefined) return null;
  const digits = written.replace(/\D/g, '');
  const isNational = !written.startsWith('+') && (digits.length === 10 || digits.length === 11);
  const full = isNational ? COUNTRY + digits : digits;
  return full.length >= 10 && full.length <= 15 ? `https://wa.me/${full}` : null;
}
