import { BlockList, isIP } from 'node:net';

/** Never a target: this network, link-local, multicast, reserved, metadata; also in their IPv6 disguises. */
const forbidden = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
] as const) {
  forbidden.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['64:ff9b::a9fe:0', 112],
  ['2002:a9fe::', 32],
] as const) {
  forbidden.addSubnet(net, prefix, 'ipv6');
}
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata', 'instance-data', 'metadata.azure.com']);

export const isForbiddenAddress = (address: string): boolean => {
  const kind = isIP(address);
  return kind !== 0 && forbidden.check(address, kind === 4 ? 'ipv4' : 'ipv6');
};

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
  if (isIP(host)) return isForbiddenAddress(host) ? 'forbidden' : host;
  if (!HOST_NAME.test(host) || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)) return undefined;
  return METADATA_NAMES.has(host) ? 'forbidden' : host;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** A name or address of this machine's loopback interface. */
export function isLoopback(host: string): boolean {
  const kind = isIP(host);
  if (kind === 0) return /(^|\.)localhost$/i.test(host);
  return loopback.check(host, kind === 4 ? 'ipv4' : 'ipv6');
}

/** An IPv4/IPv6 address or CIDR block in its usual form; nothing for anything else (no octal, hexadecimal or short forms). */
export function parseAddressBlock(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().toLowerCase().split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0 || address.includes('%')) return undefined;
  if (prefix === undefined) return address;
  const longest = kind === 4 ? 32 : 128;
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest ? `${address}/${prefix}` : undefined;
}

/** A test whether an address lies in one of the blocks; an IPv4-mapped IPv6 address counts as its IPv4 address. */
export function compileAddressList(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', prefix] = block.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const kind = isIP(address);
    return kind !== 0 && list.check(address, kind === 4 ? 'ipv4' : 'ipv6');
  };
}
