import { compileAddressList } from '../../rules/address';
import { digestOf } from '../../rules/api-key';
import { compilePermissions } from '../../rules/permission';
import type { KeyRow } from '../snapshot/rows';

export interface CompiledKey {
  id: string;
  permits(permission: string): boolean;
  allows(address: string): boolean;
}

/** Presented keys and addresses are remembered, never more than this many. */
const MOST_REMEMBERED = 20_000;

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

const compileKey = ({ id, permissions, allowedIps }: KeyRow): CompiledKey => ({
  id,
  permits: compilePermissions(permissions),
  allows: allowedIps.length === 0 ? () => true : remembered(compileAddressList(allowedIps)),
});

/** Keys by digest. Known keys are also remembered as presented, which saves hashing each request's. */
export class Keys {
  private readonly byDigest = new Map<string, CompiledKey>();
  private readonly digests = new Map<string, string>();
  private readonly presented = new Map<string, CompiledKey>();

  set(row: KeyRow): void {
    this.remove(row.id);
    this.digests.set(row.id, row.digest);
    this.byDigest.set(row.digest, compileKey(row));
  }

  remove(id: string): void {
    const digest = this.digests.get(id);
    if (digest === undefined) return;
    this.byDigest.delete(digest);
    this.digests.delete(id);
    this.presented.clear();
  }

  byId(id: string): CompiledKey | undefined {
    const digest = this.digests.get(id);
    return digest === undefined ? undefined : this.byDigest.get(digest);
  }

  /** Unknown ones are not remembered: a key works as soon as it exists. */
  find(key: string): CompiledKey | undefined {
    const known = this.presented.get(key);
    if (known) return known;
    const found = this.byDigest.get(digestOf(key));
    if (!found) return undefined;
    if (this.presented.size >= MOST_REMEMBERED) this.presented.clear();
    this.presented.set(key, found);
    return found;
  }
}
