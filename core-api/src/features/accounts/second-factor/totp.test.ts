import { computeTotpCode, createTotpUri, encodeBase32, findTotpStep, toTotpStep } from './totp';

const SECRET = Buffer.from('12345678901234567890');

/** RFC 6238, appendix B, SHA-1: the last six of eight digits. */
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the TOTP code at Unix time %d is %s', (seconds, code) => {
  expect(computeTotpCode(SECRET, toTotpStep(seconds * 1000))).toBe(code);
});

/** RFC 4648, section 10, without padding. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base32 is %j', (text, encoded) => {
  expect(encodeBase32(Buffer.from(text))).toBe(encoded);
});

test('only codes of the previous, the current and the next time step are accepted', () => {
  const ms = 1_234_567_890_000;
  const step = toTotpStep(ms);
  for (const offset of [-1, 0, 1])
    expect(findTotpStep(SECRET, computeTotpCode(SECRET, step + offset), ms)).toBe(step + offset);
  for (const offset of [-2, 2])
    expect(findTotpStep(SECRET, computeTotpCode(SECRET, step + offset), ms)).toBeUndefined();
  for (const text of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    expect(findTotpStep(SECRET, text, ms)).toBeUndefined();
});

test('the otpauth URI has the format that authenticator apps read', () => {
  expect(createTotpUri(SECRET, 'Estúdio Sete', 'ana@x')).toBe(
    'otpauth://totp/Est%C3%BAdio%20Sete:ana%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Est%C3%BAdio%20Sete&algorithm=SHA1&digits=6&period=30',
  );
});
