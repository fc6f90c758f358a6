import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed IP address. An IPv4-mapped IPv6 address is parsed as IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export const isIPv4Address = (address: Address): boolean => address.kind() === 'ipv4';

/** Returns whether an address is in a list. Text that is not an address is in no list. */
export type AddressMatcher = (address: string) => boolean;

interface Block {
  readonly network: Address;
  readonly bits: number;
}

/**
 * Parses an IPv4 address without leading zeros or an IPv6 address without a zone, and returns null for any other text.
 * `ipaddr.js` alone would also accept octal, hexadecimal and short forms of IPv4, which parsers read differently.
 */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return ipaddr.parse(text);
  if (text.includes('%') || !isIPv6(text)) return null;
  // `ipaddr.js` misreads some IPv6 addresses with a dotted end (`::1.2.3.4`), so a URL parser rewrites them first.
  return ipaddr.process(text.includes('.') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

const getBitLength = (address: Address): number => (isIPv4Address(address) ? 32 : 128);

function parseBlock(text: string): Block | null {
  const [literal = '', bitsText, ...rest] = text.split('/');
  const network = parseAddress(literal);
  if (network === null || rest.length > 0) return null;
  if (bitsText === undefined) return { network, bits: getBitLength(network) };
  if (!/^(0|[1-9]\d{0,2})$/.test(bitsText)) return null;
  const isMapped = literal.includes(':') && isIPv4Address(network);
  const bits = Number(bitsText) - (isMapped ? 96 : 0);
  return bits >= 0 && bits <= getBitLength(network) ? { network, bits } : null;
}

const contains = ({ network, bits }: Block, address: Address): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** Returns an IP address or CIDR block trimmed and in lower case, or undefined for any other text (contract §3). */
export function parseAddressBlock(text: string): string | undefined {
  const block = text.trim().toLowerCase();
  return parseBlock(block) === null ? undefined : block;
}

/** Compiles a list of addresses and CIDR blocks. Invalid entries match nothing. */
export function compileAddressList(list: readonly string[]): AddressMatcher {
  const blocks = list.map(parseBlock).filter((block) => block !== null);
  return (address) => {
    const parsed = parseAddress(address);
    return parsed !== null && blocks.some((block) => contains(block, parsed));
  };
}

const KINDS = [
  // AWS over IPv6, Alibaba, Oracle and Azure have metadata services outside of the link-local range.
  ['metadata', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']],
  ['unspecified', ['0.0.0.0/8', '::']],
  ['loopback', ['127.0.0.0/8', '::1']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['reserved', ['240.0.0.0/4']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']],
] as const;
type AddressKind = 'public' | (typeof KINDS)[number][0];
const CLASSIFIED_BLOCKS = KINDS.flatMap(([kind, list]) =>
  list.map(parseBlock).flatMap((block) => (block === null ? [] : [{ kind, block }])),
);

/** Returns the IPv4 address inside an IPv4-compatible, NAT64 (RFC 6052, RFC 8215) or 6to4 (RFC 3056) address. */
export function extractEmbeddedIPv4(address: Address): Address | null {
  if (isIPv4Address(address)) return null;
  const bytes = address.toByteArray();
  if (startsWith(bytes, [0x20, 0x02])) return ipaddr.fromByteArray(bytes.slice(2, 6));
  // `::` and `::1` are no IPv4-compatible addresses.
  const isCompatible = startsWith(bytes, Array<number>(12).fill(0)) && bytes.slice(12, 15).some((byte) => byte !== 0);
  const isEmbedded = isCompatible || startsWith(bytes, [0, 0x64, 0xff, 0x9b]);
  return isEmbedded ? ipaddr.fromByteArray(bytes.slice(12)) : null;
}

const startsWith = (bytes: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);

/** Returns the kind of the range that contains an address. An embedded IPv4 address is classified instead. */
export function classifyAddress(address: Address): AddressKind {
  const effectiveAddress = extractEmbeddedIPv4(address) ?? address;
  return CLASSIFIED_BLOCKS.find(({ block }) => contains(block, effectiveAddress))?.kind ?? 'public';
}

const FORBIDDEN = new Set<AddressKind>(['metadata', 'unspecified', 'link-local', 'multicast', 'reserved']);

/** Returns whether an address, or the IPv4 address embedded in it, must never be a target. */
export function isForbiddenAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && FORBIDDEN.has(classifyAddress(parsed));
}

const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata', 'instance-data', 'metadata.azure.com']);
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * Returns a host name or IP address in lower case, or undefined for any other text. An address that must never be a
 * target gives `forbidden`. A name with a numeric last label is refused, as many resolvers read it as an IPv4 address.
 */
export function parseTargetHost(text: string): string | 'forbidden' | undefined {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1');
  if (parseAddress(host)) return isForbiddenAddress(host) ? 'forbidden' : host;
  if (!HOST_NAME.test(host) || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)) return undefined;
  return METADATA_NAMES.has(host) ? 'forbidden' : host;
}
