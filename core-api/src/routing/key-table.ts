import { hash } from 'node:crypto';
import { compileAddressList } from '../platform/net/address';
import { ByteIndex } from './byte-index';
import type { KeyRow, RateLimit } from './config-snapshot';
import { InternedValues } from './interned-values';
import { compilePermissions } from './permission';
import type { KeyRateLimit } from './routing-decision';

/** One secret of a key, ready for lookups. A rotated key has two secrets until the older one expires. */
export interface CompiledKey {
  id: string;
  disabled: boolean;
  /** When the secret expires, ms since the epoch; infinite without an end. */
  expiresAt: number;
  /** The reason for refusals after `expiresAt`. */
  expiryReason: 'expired' | 'rotated';
  rateLimit: KeyRateLimit | undefined;
  permits(permission: string): boolean;
  allows(address: string): boolean;
}

/** Permissions and addresses of a key; many keys have the same lists. */
type Access = Pick<CompiledKey, 'permits' | 'allows'>;

/** Upper bound of the cache of secrets; the cache is emptied when it is full. */
const MAX_CACHED = 20_000;
const DIGEST_BYTES = 32;
const UUID_BYTES = 16;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INITIAL_KEYS = 64;
const NO_LIMIT = -1;

/** SHA-256 of a key's secret in hexadecimal. It is stored and looked up in place of the secret. */
export const digestKey = (key: string): string => hash('sha256', key);

/** Caches the result per address, because a check walks the whole address list. */
function memoizeByAddress(test: (address: string) => boolean): (address: string) => boolean {
  const results = new Map<string, boolean>();
  return (address) => {
    const cached = results.get(address);
    if (cached !== undefined) return cached;
    if (results.size >= 1000) results.clear();
    const result = test(address);
    results.set(address, result);
    return result;
  };
}

const compileAccess = (permissions: string[], allowedIps: string[]): Access => ({
  permits: compilePermissions(permissions),
  allows: allowedIps.length === 0 ? () => true : memoizeByAddress(compileAddressList(allowedIps)),
});

/** The bytes of a UUID; undefined for another id. */
const parseUuid = (id: string): Buffer | undefined =>
  UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : undefined;
function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Columns of the keys, by slot. */
class KeyColumns {
  access = new Uint32Array(INITIAL_KEYS);
  limit = new Int32Array(INITIAL_KEYS);
  /** Ms since the epoch; infinite without an end. */
  expiresAt = new Float64Array(INITIAL_KEYS);
  disabled = new Uint8Array(INITIAL_KEYS);

  reserve(slot: number): void {
    if (slot < this.access.length) return;
    const length = this.access.length * 2;
    const { access, limit, expiresAt, disabled } = this;
    this.access = new Uint32Array(length);
    this.limit = new Int32Array(length);
    this.expiresAt = new Float64Array(length);
    this.disabled = new Uint8Array(length);
    this.access.set(access);
    this.limit.set(limit);
    this.expiresAt.set(expiresAt);
    this.disabled.set(disabled);
  }
}

/**
 * Keys by digest. A key takes about 100 bytes: columns and digests lie in typed arrays, and equal lists of permissions
 * and addresses are stored once. Keys in use are cached by their secret in clear text, which saves a hash per request.
 */
export class KeyTable {
  private readonly digests = new ByteIndex(DIGEST_BYTES);
  private readonly ids = new ByteIndex(UUID_BYTES);
  /** Slots of the ids that are not UUIDs. */
  private readonly slotByOtherId = new Map<string, number>();
  private readonly otherIdBySlot = new Map<number, string>();
  private readonly columns = new KeyColumns();
  private readonly accesses = new InternedValues<Access>();
  private readonly limits = new InternedValues<RateLimit>();
  /** Previous secrets of rotated keys by digest, and their digests by slot. Few keys have a previous secret. */
  private readonly previous = new Map<string, { slot: number; endsAt: number }>();
  private readonly previousDigestBySlot = new Map<number, string>();
  private readonly freeSlots: number[] = [];
  private slotCount = 0;
  private readonly bySecret = new Map<string, CompiledKey>();

  /** @throws Error for a row that cannot be used; the key is then unknown */
  set({ id, digest, permissions, allowedIps, disabled = false, expiresAt, rateLimit, ...rotation }: KeyRow): void {
    const { previousDigest, previousExpiresAt } = rotation;
    const uuid = parseUuid(id);
    this.removeSlot(this.slotOf(id, uuid));
    const digestBytes = Buffer.from(digest, 'hex');
    if (digestBytes.length !== DIGEST_BYTES) throw new Error('no digest');
    const { columns } = this;
    const access = this.accesses.add(JSON.stringify([permissions, allowedIps]), () =>
      compileAccess(permissions, allowedIps),
    );
    const slot = this.freeSlots.pop() ?? this.slotCount++;
    columns.reserve(slot);
    columns.access[slot] = access;
    columns.limit[slot] = rateLimit
      ? this.limits.add(`${rateLimit.requests}/${rateLimit.seconds}`, () => rateLimit)
      : NO_LIMIT;
    columns.expiresAt[slot] = expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
    columns.disabled[slot] = disabled ? 1 : 0;
    this.digests.set(slot, digestBytes);
    if (uuid) this.ids.set(slot, uuid);
    else {
      this.slotByOtherId.set(id, slot);
      this.otherIdBySlot.set(slot, id);
    }
    if (!previousDigest || !previousExpiresAt) return;
    this.previous.set(previousDigest, { slot, endsAt: Date.parse(previousExpiresAt) });
    this.previousDigestBySlot.set(slot, previousDigest);
  }

  remove(id: string): void {
    this.removeSlot(this.slotOf(id, parseUuid(id)));
  }

  private removeSlot(slot: number | undefined): void {
    if (slot === undefined) return;
    this.digests.delete(slot);
    const otherId = this.otherIdBySlot.get(slot);
    if (otherId === undefined) this.ids.delete(slot);
    else this.slotByOtherId.delete(otherId);
    this.otherIdBySlot.delete(slot);
    const previous = this.previousDigestBySlot.get(slot);
    if (previous !== undefined) this.previous.delete(previous);
    this.previousDigestBySlot.delete(slot);
    this.accesses.release(this.columns.access[slot] ?? 0);
    const limit = this.columns.limit[slot] ?? NO_LIMIT;
    if (limit !== NO_LIMIT) this.limits.release(limit);
    this.freeSlots.push(slot);
    this.bySecret.clear();
  }

  /** An unknown secret is not cached, so that a new key works at once. @param key the secret as received */
  find(key: string): CompiledKey | undefined {
    const cached = this.bySecret.get(key);
    if (cached) return cached;
    const compiled = this.findDigest(digestKey(key));
    if (!compiled) return undefined;
    if (this.bySecret.size >= MAX_CACHED) this.bySecret.clear();
    this.bySecret.set(key, compiled);
    return compiled;
  }

  private findDigest(digest: string): CompiledKey | undefined {
    const slot = this.digests.findSlot(Buffer.from(digest, 'hex'));
    if (slot !== undefined) return this.compileSlot(slot);
    const previous = this.previous.get(digest);
    if (!previous) return undefined;
    const key = this.compileSlot(previous.slot);
    // The previous secret expires no later than the key.
    return previous.endsAt < key.expiresAt ? { ...key, expiresAt: previous.endsAt, expiryReason: 'rotated' } : key;
  }

  private compileSlot(slot: number): CompiledKey {
    const { columns } = this;
    const id = this.otherIdBySlot.get(slot) ?? formatUuid(this.ids.read(slot));
    const limit = columns.limit[slot] ?? NO_LIMIT;
    return {
      id,
      disabled: columns.disabled[slot] === 1,
      expiresAt: columns.expiresAt[slot] ?? 0,
      expiryReason: 'expired',
      rateLimit: limit === NO_LIMIT ? undefined : { ...this.limits.get(limit), keyId: id },
      ...this.accesses.get(columns.access[slot] ?? 0),
    };
  }

  private slotOf(id: string, uuid: Buffer | undefined): number | undefined {
    return uuid ? this.ids.findSlot(uuid) : this.slotByOtherId.get(id);
  }
}
