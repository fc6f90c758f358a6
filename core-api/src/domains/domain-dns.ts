import { Resolver } from 'node:dns/promises';
import { parseAddress } from '../rules/address';
import type { DnsState } from './domain-status.entity';

const TIMEOUT_MS = 1_500;
const TRIES = 2;

/** Errors that say: no such record, or no such name. */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN']);

const canonical = (address: string): string => parseAddress(address)?.join('.') ?? address;

export interface DnsCheck {
  dns: DnsState;
  /** Addresses, then the target of a CNAME. */
  found: string[];
}

export class DomainDns {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  private readonly expected: ReadonlySet<string>;

  /**
   * @param servers in place of the system's, unless empty
   * @param serverIps addresses that a domain must have; where empty, `dns` stays `unknown`
   */
  constructor(servers: readonly string[], serverIps: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers);
    this.expected = new Set(serverIps.map(canonical));
  }

  /** `ok` when every address of the name is in `serverIps`: any other takes a share of the visitors. */
  async check(host: string): Promise<DnsCheck> {
    const answers = await Promise.all(
      [this.resolver.resolve4(host), this.resolver.resolve6(host), this.resolver.resolveCname(host)].map(
        recordsOrUndefined,
      ),
    );
    const [v4, v6, names] = answers;
    const addresses = [...(v4 ?? []), ...(v6 ?? [])].sort();
    const found = [...addresses, ...(names ?? [])];
    return { dns: this.classify(addresses, found, [v4, v6]), found };
  }

  private classify(addresses: string[], found: string[], lookups: (string[] | undefined)[]): DnsState {
    if (addresses.some((address) => !this.expected.has(canonical(address)))) {
      return this.expected.size > 0 ? 'wrong' : 'unknown';
    }
    // A lookup that failed may hide an address elsewhere.
    if (lookups.includes(undefined)) return 'unknown';
    if (addresses.length > 0) return 'ok';
    return found.length > 0 ? 'wrong' : 'missing';
  }

  /** TXT records of a name; empty when DNS does not answer. */
  async txtRecords(name: string): Promise<string[]> {
    const chunks = await this.resolver.resolveTxt(name).catch((): string[][] => []);
    return chunks.map((parts) => parts.join(''));
  }
}

/** Undefined when the lookup itself failed. */
function recordsOrUndefined(lookup: Promise<string[]>): Promise<string[] | undefined> {
  return lookup.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return NO_RECORD.has(code) ? [] : undefined;
  });
}
