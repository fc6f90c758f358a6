import { hash } from 'node:crypto';
import { compileAddressList } from '../../platform/net/address';
import type { KeyRow } from '../config-snapshot';
import type { CountedLimit } from '../routing-decision';
import { ByteIndex } from './byte-index';
import { InternedValues } from './interned-values';
import { compilePermissions } from './permission';

/** One secret of a key, ready for lookups. A rotated key has two secrets until the older one expires. */
export interface CompiledKey {
  id: string;
  disabled: boolean;
  /** Instant at which the secret expires, ms since the epoch; infinite if it never expires. */
  expiresAt: number;
  /** Reason for refusals from `expiresAt` on. */
  expiryReason: 'expired' | 'rotated';
  rateLimit: CountedLimit | undefined;
  permits(permission: string): boolean;
  allows(address: string): boolean;
}

/** Compiled permissions and addresses of a key. Many keys have the same lists. */
type Access = Pick<CompiledKey, 'permits' | 'allows'>;

const UUID_BYTES = 16;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INITIAL_SLOTS = 64;
const MAX_CACHED_ADDRESSES = 1_000;
/** Byte offsets of the fields in a slot's record, and the length of the record. */
const RECORD = { access: 0, limit: 4, expiresAt: 8, disabled: 16, bytes: 17 };

/** Caches the result for each address, because `test` compares the address with the whole list. */
function memoizeByAddress(test: (address: string) => boolean): (address: string) => boolean {
  const results = new Map<string, boolean>();
  return (address) => {
    const cached = results.get(address);
    if (cached !== undefined) return cached;
    if (results.size >= MAX_CACHED_ADDRESSES) results.clear();
    const result = test(address);
    results.set(address, result);
    return result;
  };
}

const compileAccess = (permissions: string[], allowedIps: string[]): Access => ({
  permits: compilePermissions(permissions),
  allows: allowedIps.length === 0 ? () => true : memoizeByAddress(compileAddressList(allowedIps)),
});

/** Returns the bytes of a UUID, or as many bytes of the SHA-256 of any other id. */
export const toIdBytes = (id: string): Buffer =>
  UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : hash('sha256', id, 'buffer').subarray(0, UUID_BYTES);
function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Stores the keys without their secrets in numbered slots. All records are in one buffer, and equal lists of
 * permissions and addresses are stored once.
 */
export class KeySlots {
  private readonly ids = new ByteIndex(UUID_BYTES);
  /** The ids that are not UUIDs. */
  private readonly otherIds = new Map<number, string>();
  private readonly accesses = new InternedValues<Access>();
  private readonly limits = new InternedValues<KeyRow['rateLimit']>();
  private records = new DataView(new ArrayBuffer(INITIAL_SLOTS * RECORD.bytes));
  private readonly freeSlots: number[] = [];
  private count = 0;

  find(idBytes: Buffer): number | undefined {
    return this.ids.findSlot(idBytes);
  }

  /** Returns the slot of the new key. @throws Error for permissions or addresses that cannot be used */
  add({ id, permissions, allowedIps, disabled, expiresAt, rateLimit }: KeyRow, idBytes: Buffer): number {
    const accessNumber = this.accesses.add(JSON.stringify([permissions, allowedIps]), () =>
      compileAccess(permissions, allowedIps),
    );
    const limitNumber = this.limits.add(rateLimit ? `${rateLimit.requests}/${rateLimit.seconds}` : '', () => rateLimit);
    const slot = this.freeSlots.pop() ?? this.count++;
    const offset = slot * RECORD.bytes;
    if (offset === this.records.byteLength) {
      const doubled = new Uint8Array(offset * 2);
      doubled.set(new Uint8Array(this.records.buffer));
      this.records = new DataView(doubled.buffer);
    }
    this.records.setUint32(offset + RECORD.access, accessNumber);
    this.records.setUint32(offset + RECORD.limit, limitNumber);
    this.records.setFloat64(offset + RECORD.expiresAt, expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY);
    this.records.setUint8(offset + RECORD.disabled, disabled ? 1 : 0);
    this.ids.set(slot, idBytes);
    if (!UUID.test(id)) this.otherIds.set(slot, id);
    return slot;
  }

  read(slot: number): CompiledKey {
    const offset = slot * RECORD.bytes;
    const id = this.otherIds.get(slot) ?? formatUuid(this.ids.read(slot));
    const rateLimit = this.limits.get(this.records.getUint32(offset + RECORD.limit));
    return {
      id,
      disabled: this.records.getUint8(offset + RECORD.disabled) === 1,
      expiresAt: this.records.getFloat64(offset + RECORD.expiresAt),
      expiryReason: 'expired',
      rateLimit: rateLimit ? { ...rateLimit, counterId: id } : undefined,
      ...this.accesses.get(this.records.getUint32(offset + RECORD.access)),
    };
  }

  remove(slot: number): void {
    const offset = slot * RECORD.bytes;
    this.limits.release(this.records.getUint32(offset + RECORD.limit));
    this.accesses.release(this.records.getUint32(offset + RECORD.access));
    this.ids.delete(slot);
    this.otherIds.delete(slot);
    this.freeSlots.push(slot);
  }
}
