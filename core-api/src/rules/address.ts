import { isIPv4, isIPv6 } from 'node:net';

/** An IP address as bytes: 4 of IPv4 (mapped IPv4 included) or 16 of IPv6. */
export type AddressBytes = Uint8Array;

/** Whether an address is in a list. Text that is no address is in none. */
export type AddressMatcher = (address: string) => boolean;

export type AddressKind =
  | 'public'
  | 'private'
  | 'loopback'
  | 'unspecified'
  | 'link-local'
  | 'multicast'
  | 'metadata'
  | 'reserved';

interface Block {
  readonly bytes: AddressBytes;
  readonly bits: number;
}

function parseIPv4(text: string): AddressBytes {
  return Uint8Array.from(text.split('.'), Number);
}

function parseIPv6(text: string): AddressBytes {
  const words = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = parseIPv4(group);
          return [a * 256 + b, c * 256 + d];
        });
  const [head = '', tail] = text.split('::');
  const before = words(head);
  const after = tail === undefined ? [] : words(tail);
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

function startsWith(bytes: AddressBytes, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
const isMapped = (bytes: AddressBytes): boolean => bytes.length === 16 && startsWith(bytes, MAPPED);

/**
 * Reads an address literal: dotted decimal of four numbers without leading zeros, or RFC 4291 text without a zone.
 * Octal, hexadecimal and short forms of IPv4 are refused, since readers disagree on them. Null when it is none.
 */
export function parseAddress(text: string): AddressBytes | null {
  if (isIPv4(text)) return parseIPv4(text);
  if (text.includes('%') || !isIPv6(text)) return null;
  const bytes = parseIPv6(text);
  return isMapped(bytes) ? bytes.subarray(12) : bytes;
}

function parseBlock(text: string): Block | null {
  const [literal = '', bitsText, ...rest] = text.split('/');
  const bytes = parseAddress(literal);
  if (bytes === null || rest.length > 0) return null;
  if (bitsText === undefined) return { bytes, bits: bytes.length * 8 };
  if (!/^(0|[1-9]\d{0,2})$/.test(bitsText)) return null;
  const written = Number(bitsText);
  const bits = literal.includes(':') && bytes.length === 4 ? written - 96 : written;
  return bits >= 0 && bits <= bytes.length * 8 ? { bytes, bits } : null;
}

function contains(block: Block, bytes: AddressBytes): boolean {
  if (block.bytes.length !== bytes.length) return false;
  for (let index = 0, left = block.bits; left > 0; index += 1, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((block.bytes[index] ?? 0) & mask) !== ((bytes[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** An IPv4/IPv6 address or CIDR block (contract §3, `allowedIps`), trimmed and in lower case; nothing for anything else. */
export function parseAddressBlock(text: string): string | undefined {
  const block = text.trim().toLowerCase();
  return parseBlock(block) === null ? undefined : block;
}

/** Compiles a list of addresses and CIDR blocks; entries that are neither match nothing. */
export function compileAddressList(list: readonly string[]): AddressMatcher {
  const blocks = list.map(parseBlock).filter((block) => block !== null);
  return (address) => {
    const bytes = parseAddress(address);
    return bytes !== null && blocks.some((block) => contains(block, bytes));
  };
}

const KINDS: readonly (readonly [AddressKind, readonly string[]])[] = [
  // Metadata services of clouds outside the link-local range: AWS over IPv6, Alibaba, Oracle, Azure.
  ['metadata', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']],
  ['unspecified', ['0.0.0.0/8', '::']],
  ['loopback', ['127.0.0.0/8', '::1']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['reserved', ['240.0.0.0/4']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']],
];
const CLASSES = KINDS.flatMap(([kind, list]) =>
  list.map(parseBlock).flatMap((block) => (block === null ? [] : [{ kind, block }])),
);

/** The IPv4 address that an IPv6 one carries: IPv4-compatible, NAT64 (RFC 6052, RFC 8215) or 6to4 (RFC 3056). */
export function embeddedIPv4(bytes: AddressBytes): AddressBytes | null {
  if (bytes.length !== 16) return null;
  if (startsWith(bytes, [0x20, 0x02])) return bytes.subarray(2, 6);
  if (startsWith(bytes, [0, 0x64, 0xff, 0x9b])) return bytes.subarray(12);
  const compatible = startsWith(bytes, Array<number>(12).fill(0)) && bytes.subarray(12, 15).some((byte) => byte !== 0);
  return compatible ? bytes.subarray(12) : null;
}

/** The address's range, by its bytes and not by its spelling. */
export function classifyAddress(bytes: AddressBytes): AddressKind {
  const judged = embeddedIPv4(bytes) ?? bytes;
  return CLASSES.find(({ block }) => contains(block, judged))?.kind ?? 'public';
}

const FORBIDDEN: ReadonlySet<AddressKind> = new Set<AddressKind>([
  'metadata',
  'unspecified',
  'link-local',
  'multicast',
  'reserved',
]);

/** An address that is never a target: link-local, metadata, unspecified, multicast, reserved; also in an IPv6 disguise. */
export function isForbiddenAddress(address: string): boolean {
  const bytes = parseAddress(address);
  return bytes !== null && FORBIDDEN.has(classifyAddress(bytes));
}

const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata', 'instance-data', 'metadata.azure.com']);
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * A host name or IP literal in lower case; `forbidden` for link-local and metadata addresses, nothing for text that is
 * neither. A name whose last label is numeric or hexadecimal is an address in disguise to many resolvers, so it is neither.
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
