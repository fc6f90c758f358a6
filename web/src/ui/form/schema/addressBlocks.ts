import { check, type GenericSchema, pipe, string } from 'valibot';
import { splitEntries } from '../../../lib/format/splitEntries';

/** The number of bits of an IP address, or -1 for any other text. `URL` parses the address. */
function countBits(text: string): number {
  if (/^[\da-f:.]*:[\da-f:.]*$/i.test(text)) return URL.canParse(`http://[${text}]`) ? 128 : -1;
  const url = `http://${text}`;
  return /^[\d.]+$/.test(text) && URL.canParse(url) && new URL(url).hostname === text ? 32 : -1;
}

/** Whether a text is an address or a CIDR block such as `10.0.0.0/8`. */
function isAddressBlock(text: string): boolean {
  const [address = '', prefixLength = '0', ...rest] = text.split('/');
  return /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= countBits(address) && rest.length === 0;
}

/** Returns a schema for typed IP addresses and CIDR blocks (contract §3). */
export const addressBlocks = (separator: string | RegExp, message: string): GenericSchema<string> =>
  pipe(
    string(),
    check((text) => splitEntries(text, separator).every(isAddressBlock), message),
  );
