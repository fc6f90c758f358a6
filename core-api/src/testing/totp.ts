import { computeTotpCode, toTotpStep } from '../features/accounts/second-factor/totp';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the code that an authenticator app shows for a base32 secret, `steps` time steps from now. */
export const generateTotp = (secret: string, steps = 0): string =>
  computeTotpCode(decodeBase32(secret), toTotpStep(Date.now()) + steps);
