import { compileAddressList } from '../rules/address';
import { digestOf } from '../rules/api-key';
import { compilePermissions } from '../rules/permission';
import type { KeyRow } from './rows';
import type { KeyLimit } from './verdict';

/** One secret of a key: after a rotation a key has two for a while. */
export interface CompiledKey {
  id: string;
  disabled: boolean;
  /** From then on it is refused, ms since the epoch; infinite for one without an end. */
  endsAt: number;
  /** Why it is refused then. */
  endsAs: 'expired' | 'rotated';
  limit: KeyLimit | undefined;
  permits(permission: string): boolean;
  allows(address: string): boolean;
}

/** Presented keys and addresses are remembered, never more than this many. */
const MAX_REMEMBERED = 20_000;

/** Remembers the verdict per address: the list is walked once for each. */
function remembered(test: (address: string) => boolean): (address: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (address) => {
    const known = verdicts.get(address);
    if (known !== undefined) return known;
    if (verdicts.size >= 1000) verdicts.clear();
    const verdict = test(address);
    verdicts.set(address, verdict);
    return verdict;
  };
}

const compileKey = ({ id, permissions, allowedIps, disabled = false, expiresAt, rateLimit }: KeyRow): CompiledKey => ({
  id,
  disabled,
  endsAt: expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY,
  endsAs: 'expired',
  limit: rateLimit ? { ...rateLimit, keyId: id } : undefined,
  permits: compilePermissions(permissions),
  allows: allowedIps.length === 0 ? () => true : remembered(compileAddressList(allowedIps)),
});

/** The secret before the last rotation, which ends with the key at the latest. */
function compilePrevious(key: CompiledKey, previousExpiresAt: string): CompiledKey {
  const endsAt = Date.parse(previousExpiresAt);
  return endsAt < key.endsAt ? { ...key, endsAt, endsAs: 'rotated' } : key;
}

/** Keys by digest. Known keys are also remembered as presented, which saves hashing each request's. */
export class Keys {
  private readonly byDigest = new Map<string, CompiledKey>();
  private readonly digests = new Map<string, string[]>();
  private readonly presented = new Map<string, CompiledKey>();

  set(row: KeyRow): void {
    this.remove(row.id);
    const key = compileKey(row);
    const digests = [row.digest];
    this.byDigest.set(row.digest, key);
    if (row.previousDigest && row.previousExpiresAt) {
      digests.push(row.previousDigest);
      this.byDigest.set(row.previousDigest, compilePrevious(key, row.previousExpiresAt));
    }
    this.digests.set(row.id, digests);
  }

  remove(id: string): void {
    const digests = this.digests.get(id);
    if (digests === undefined) return;
    for (const digest of digests) this.byDigest.delete(digest);
    this.digests.delete(id);
    this.presented.clear();
  }

  ids(): Iterable<string> {
    return this.digests.keys();
  }

  /** Unknown ones are not remembered: a key works as soon as it exists. */
  find(key: string): CompiledKey | undefined {
    const known = this.presented.get(key);
    if (known) return known;
    const found = this.byDigest.get(digestOf(key));
    if (!found) return undefined;
    if (this.presented.size >= MAX_REMEMBERED) this.presented.clear();
    this.presented.set(key, found);
    return found;
  }
}
