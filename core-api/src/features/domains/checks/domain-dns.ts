import { Resolver } from 'node:dns/promises';
import { getErrorCode } from '../../../platform/errors/error-details';
import { parseAddress } from '../../../platform/net/address';
import type { DnsState } from './domain-status.entity';

const TIMEOUT_MS = 1_500;
const TRIES = 2;

/** Error codes for a missing record or name. */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN']);

const toCanonicalAddress = (address: string): string => parseAddress(address)?.toString() ?? address;

export class DomainDns {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  private readonly expectedAddresses: ReadonlySet<string>;

  /**
   * @param servers DNS servers; if empty, the servers of the system
   * @param serverIps addresses that a domain must have; if empty, a domain with an address is `unknown`
   */
  constructor(servers: readonly string[], serverIps: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers);
    this.expectedAddresses = new Set(serverIps.map(toCanonicalAddress));
  }

  /** The state is `ok` only if all addresses are in `serverIps`, because clients connect to any of them. */
  async check(host: string) {
    const lookups = await Promise.all(
      [this.resolver.resolve4(host), this.resolver.resolve6(host), this.resolver.resolveCname(host)].map(settleLookup),
    );
    const [v4, v6, names] = lookups;
    const addresses = [...(v4 ?? []), ...(v6 ?? [])].sort();
    const records = [...addresses, ...(names ?? [])];
    return {
      dns: this.classifyDnsState(addresses, records, [v4, v6]),
      /** The addresses, followed by the target of a CNAME. */
      found: records,
      /** True if no lookup failed and the name has an address. */
      isComplete: !lookups.includes(undefined) && addresses.length > 0,
    };
  }

  private classifyDnsState(addresses: string[], records: string[], addressLookups: (string[] | undefined)[]): DnsState {
    if (addresses.some((address) => !this.expectedAddresses.has(toCanonicalAddress(address))))
      return this.expectedAddresses.size > 0 ? 'wrong' : 'unknown';
    // A failed lookup may hide a wrong address.
    if (addressLookups.includes(undefined)) return 'unknown';
    if (addresses.length > 0) return 'ok';
    return records.length > 0 ? 'wrong' : 'missing';
  }

  /** TXT records of a name; empty if DNS does not answer. */
  async resolveTxt(name: string): Promise<string[]> {
    return (await this.resolver.resolveTxt(name).catch((): string[][] => [])).map((chunks) => chunks.join(''));
  }
}

/** Returns the records of a lookup; empty if the name has no record, undefined if the lookup failed. */
const settleLookup = (lookup: Promise<string[]>): Promise<string[] | undefined> =>
  lookup.catch((error: unknown) => (NO_RECORD.has(getErrorCode(error)) ? [] : undefined));
