import { fc } from '../../testing/properties';
import {
  classifyAddress,
  compileAddressList,
  isForbiddenAddress,
  parseAddress,
  parseAddressBlock,
  parseTargetHost,
} from './address';

describe('addresses', () => {
  test('every IPv4 address, also if mapped to IPv6, is parsed to its four bytes', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const bytes = text.split('.').map(Number);
        expect(parseAddress(text)?.toByteArray()).toEqual(bytes);
        expect(parseAddress(`::ffff:${text}`)?.toByteArray()).toEqual(bytes);
      }),
    );
  });

  test('every IPv6 address is parsed to the same bytes in any spelling', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const words = Array.from({ length: 8 }, (_, i) => (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0));
        const longText = words.map((word) => word.toString(16)).join(':');
        const shortText = new URL(`http://[${longText}]/`).hostname.slice(1, -1);
        expect(parseAddress(shortText)).toEqual(parseAddress(longText.toUpperCase()));
        const parsed = parseAddress(longText);
        expect(parsed?.toByteArray()).toEqual(parsed?.kind() === 'ipv4' ? [...bytes.subarray(12)] : [...bytes]);
      }),
    );
    expect(parseAddress('1::')?.toByteArray()).toEqual([0, 1, ...Array(14).fill(0)]);
    expect(parseAddress('64:ff9b::1.2.3.4')?.toByteArray().slice(-4)).toEqual([1, 2, 3, 4]);
    expect(parseAddress('1:2:3:4:5:6:1.2.3.4')?.toByteArray().slice(-6)).toEqual([0, 6, 1, 2, 3, 4]);
    expect(parseAddress('::1.2.3.4')?.toByteArray().slice(-5)).toEqual([0, 1, 2, 3, 4]);
    expect(parseAddress('0::1.2.3.4')?.toByteArray().slice(-5)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([
    '',
    ' 1.2.3.4',
    '1.2.3',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.256',
    'fe80::1%eth0',
    '[::1]',
    ':::',
    'g::',
  ])('%j is not parsed as an address', (text) => expect(parseAddress(text)).toBeNull());

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0.0/-1',
    '::ffff:1.2.3.4/95',
    '*',
  ])('%j is not parsed as a CIDR block', (text) => expect(parseAddressBlock(text)).toBeUndefined());
});

describe('address lists', () => {
  test('a block contains exactly the addresses with its leading bits', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (block, address, bits) => {
        const toNumber = (text: string) => text.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
        const size = 2 ** (32 - bits);
        const isInside = Math.floor(toNumber(block) / size) === Math.floor(toNumber(address) / size);
        expect(compileAddressList([`${block}/${bits}`])(address)).toBe(isInside);
        expect(compileAddressList([`${block}/${bits}`])(`::ffff:${address}`)).toBe(isInside);
        expect(compileAddressList([`::ffff:${block}/${96 + bits}`])(address)).toBe(isInside);
      }),
    );
  });

  test('a block matches only addresses of its family, and text that is no address matches no block', () => {
    const isAnyAddress = compileAddressList(['0.0.0.0/0', '::/0']);
    expect(isAnyAddress('1.2.3.4')).toBe(true);
    expect(isAnyAddress('2001:db8::1')).toBe(true);
    expect(isAnyAddress('unknown')).toBe(false);
    expect(compileAddressList(['::/0'])('1.2.3.4')).toBe(false);
    expect(compileAddressList(['2001:db8::/33'])('2001:db8:8000::1')).toBe(false);
    expect(compileAddressList(['2001:db8::/33'])('2001:db8:7fff::1')).toBe(true);
    expect(compileAddressList([])('1.2.3.4')).toBe(false);
  });
});

describe('address kinds', () => {
  test.each([
    ['127.8.9.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:a9fe:a9fe', 'metadata'],
    ['::a9fe:a9fe', 'metadata'],
    ['64:ff9b::a9fe:a9fe', 'metadata'],
    ['64:ff9b:1::a9fe:1', 'link-local'],
    ['2002:a9fe:101::1', 'link-local'],
    ['fd00:ec2::254', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['169.254.1.1', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['10.1.2.3', 'private'],
    ['fd12::1', 'private'],
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
  ])('%s is classified as %s', (text, kind) => {
    const address = parseAddress(text);
    expect(address && classifyAddress(address)).toBe(kind);
  });

  test('loopback and private addresses are allowed as targets, and other special ranges are forbidden', () => {
    expect(['127.0.0.1', '::1', '10.0.0.1', '8.8.8.8'].some(isForbiddenAddress)).toBe(false);
    expect(['169.254.169.254', '0.0.0.0', 'fe80::1', '239.1.1.1', '255.255.255.255'].every(isForbiddenAddress)).toBe(
      true,
    );
  });

  test.each([
    ['Servidor.Interno', 'servidor.interno'],
    [' 10.0.0.5 ', '10.0.0.5'],
    ['[::1]', '::1'],
    ['minha_api', 'minha_api'],
    ['169.254.169.254', 'forbidden'],
    ['[::ffff:a9fe:a9fe]', 'forbidden'],
    ['metadata.google.internal', 'forbidden'],
  ])('the target %j is parsed as %s', (text, host) => expect(parseTargetHost(text)).toBe(host));

  test.each(['2852039166', '0xa9fea9fe', '127.1', 'a..b', '-a', 'a b', 'http://a', 'a:80', ''])(
    '%j is not parsed as a target',
    (text) => expect(parseTargetHost(text)).toBeUndefined(),
  );
});
