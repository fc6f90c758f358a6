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
