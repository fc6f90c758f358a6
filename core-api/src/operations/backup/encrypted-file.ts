import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { fileBeginsWith } from './backup-file';

/* Encrypted files have the format of age with a passphrase, so `age -d` can decrypt them, too. */

const HEADER = 'age-encryption.org/v1';

export const isEncrypted = (path: string): boolean => fileBeginsWith(path, HEADER);

const openForReading = (path: string) => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
const createForWriting = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600 });

/** Writes the new file `to`, mode 0600. */
export async function encryptFile(from: string, to: string, passphrase: string): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  await pipeline(Readable.fromWeb(await encrypter.encrypt(openForReading(from))), createForWriting(to));
}

/** Writes the new file `to`, mode 0600. @throws if the passphrase is wrong or the file is damaged */
export async function decryptFile(from: string, to: string, passphrase: string): Promise<void> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  await pipeline(Readable.fromWeb(await decrypter.decrypt(openForReading(from))), createForWriting(to));
}
