import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_S = 30;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 of RFC 4648 without padding, the form that authenticator apps read. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('');
}

/** The counter of RFC 6238: steps of 30 s since 1970. */
export const toTotpStep = (ms: number): number => Math.floor(ms / 1000 / STEP_S);

/** The code of a step: RFC 6238 with SHA-1 and six digits, the only variant that all authenticator apps support. */
export function computeTotpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Finds the step of a code among the current step and its two neighbours, to allow for clock skew and typing time. */
export function findTotpStep(secret: Uint8Array, code: string, ms: number): number | undefined {
  const currentStep = toTotpStep(ms);
  const codeBytes = Buffer.from(code);
  return [currentStep, currentStep - 1, currentStep + 1].find((step) => {
    const expected = Buffer.from(computeTotpCode(secret, step));
    return expected.length === codeBytes.length && timingSafeEqual(expected, codeBytes);
  });
}

/** The `otpauth:` URI that an authenticator app reads from a QR code. */
export function createTotpUri(secret: Uint8Array, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  const parameters = new URLSearchParams({
    secret: encodeBase32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_S),
  });
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`;
}
