import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
const random = Buffer.allocUnsafeSlow(256 * ID_BYTES);
let usedBytes = random.length;

/** Position of each byte's two digits in the text of a UUID. */
const DIGIT_POSITIONS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** The text of the latest id, in which each call overwrites all digits but no dashes. */
const idText = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/**
 * Returns a UUID (version 4, RFC 9562 §5.4) as a flat string. `crypto.randomUUID` returns a concatenation of 20 parts,
 * which V8 would walk again for each header, log line and span that contains the id.
 */
export function createRequestId(): string {
  if (usedBytes === random.length) {
    randomFillSync(random);
    usedBytes = 0;
  }
  for (let index = 0; index < ID_BYTES; index += 1) {
    let byte = random[usedBytes + index] ?? 0;
    if (index === 6) byte = (byte & 0x0f) | 0x40;
    else if (index === 8) byte = (byte & 0x3f) | 0x80;
    const position = DIGIT_POSITIONS[index] ?? 0;
    idText[position] = DIGITS[byte >> 4] ?? 0;
    idText[position + 1] = DIGITS[byte & 0x0f] ?? 0;
  }
  usedBytes += ID_BYTES;
  return idText.toString('latin1');
}
