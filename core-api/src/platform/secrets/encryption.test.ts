import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './encryption';

const key = randomBytes(32);

test.each(['', 'segredo'])('the encrypted text %j is decrypted', (text) => {
  expect(decrypt(encrypt(text, key), key)).toBe(text);
});

test('an encrypted text is not decrypted with another key', () => {
  expect(decrypt(encrypt('segredo', key), randomBytes(32))).toBeUndefined();
});

/** `v1.` is followed by a nonce of 12 bytes and a tag of 16 bytes. */
test.each([0, 5, 12, 16, 24, 27])(
  'an encrypted empty text that is truncated to %d bytes is not decrypted',
  (length) => {
    const bytes = Buffer.from(encrypt('', key).slice('v1.'.length), 'base64url');
    expect(decrypt(`v1.${bytes.subarray(0, length).toString('base64url')}`, key)).toBeUndefined();
  },
);
