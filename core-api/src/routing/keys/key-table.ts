import { hash } from 'node:crypto';
import type { KeyRow } from '../config-snapshot';
import { ByteIndex } from './byte-index';
import { type CompiledKey, KeySlots, toIdBytes } from './key-slots';

/** Maximum number of cached secrets. A full cache is emptied. */
const MAX_CACHED = 20_000;
const DIGEST_BYTES = 32;

/** Returns the SHA-256 of a key's secret in hexadecimal, which is stored in place of the secret. */
export const digestSecret = (secret: string): string => hash('sha256', secret);

/**
 * Finds keys by the digests of their secrets. A key takes about 100 bytes, because digests and records are in buffers.
 * Keys in use are cached by their secrets in clear text, which saves a hash per request.
 */
export class KeyTable {
  private readonly slots = new KeySlots();
  private readonly digests = new ByteIndex(DIGEST_BYTES);
  /** Slots of rotated keys by the digest of the previous secret. Few keys have a previous secret. */
  private readonly previousSecrets = new Map<string, { slot: number; endsAt: number }>();
  private readonly previousDigestBySlot = new Map<number, string>();
  private readonly bySecret = new Map<string, CompiledKey>();

  /** Adds or replaces a key. @throws Error for a row that cannot be used; the key is then unknown */
  set(row: KeyRow): void {
    const { id, digest, previousDigest, previousExpiresAt } = row;
    const idBytes = toIdBytes(id);
    this.removeSlot(this.slots.find(idBytes));
    const digestBytes = Buffer.from(digest, 'hex');
    if (digestBytes.length !== DIGEST_BYTES) throw new Error('no digest');
    const slot = this.slots.add(row, idBytes);
    this.digests.set(slot, digestBytes);
    if (!previousDigest || !previousExpiresAt) return;
    this.previousSecrets.set(previousDigest, { slot, endsAt: Date.parse(previousExpiresAt) });
    this.previousDigestBySlot.set(slot, previousDigest);
  }

  remove(id: string): void {
    this.removeSlot(this.slots.find(toIdBytes(id)));
  }

  private removeSlot(slot: number | undefined): void {
    if (slot === undefined) return;
    this.slots.remove(slot);
    this.digests.delete(slot);
    const previousDigest = this.previousDigestBySlot.get(slot);
    if (previousDigest !== undefined) this.previousSecrets.delete(previousDigest);
    this.previousDigestBySlot.delete(slot);
    this.bySecret.clear();
  }

  /** Finds a key. Unknown secrets are not cached, so that a new key works immediately. @param secret as received */
  find(secret: string): CompiledKey | undefined {
    const cached = this.bySecret.get(secret);
    if (cached) return cached;
    const compiled = this.findByDigest(digestSecret(secret));
    if (!compiled) return undefined;
    if (this.bySecret.size >= MAX_CACHED) this.bySecret.clear();
    this.bySecret.set(secret, compiled);
    return compiled;
  }

  private findByDigest(digest: string): CompiledKey | undefined {
    const slot = this.digests.findSlot(Buffer.from(digest, 'hex'));
    if (slot !== undefined) return this.slots.read(slot);
    const previous = this.previousSecrets.get(digest);
    if (!previous) return undefined;
    const key = this.slots.read(previous.slot);
    // The previous secret expires with the key at the latest.
    return previous.endsAt < key.expiresAt ? { ...key, expiresAt: previous.endsAt, expiryReason: 'rotated' } : key;
  }
}
