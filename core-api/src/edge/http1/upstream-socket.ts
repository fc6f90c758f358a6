import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import type { Upstream } from './types';

/**
 * What any upstream sends is read into this one buffer, without an allocation per read; an answer of 64 KiB fits.
 * Whatever outlives the call that gets it is copied.
 */
const shared = Buffer.allocUnsafeSlow(128 * 1024);

/** Why a socket was destroyed: its address may not be connected to. */
export class ForbiddenTarget extends Error {}

type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Who waits for the addresses of which name. */
const waiting = new Map<string, Resolved[]>();

/**
 * All addresses of a name. The system asks for a few names at a time, and one whose servers are silent keeps a place for many
 * seconds: it gets one place, however many requests need it, so that all other names are found.
 */
function resolveName(hostname: string, options: LookupOptions, resolved: Resolved): void {
  const key = `${hostname} ${options.family} ${options.hints}`;
  const others = waiting.get(key);
  if (others) {
    others.push(resolved);
    return;
  }
  const all = [resolved];
  waiting.set(key, all);
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    waiting.delete(key);
    for (const one of all) one(error, addresses);
  });
}

/** Leaves out addresses that may not be connected to, whatever a name has come to stand for. */
export const guardedLookup =
  (mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolveName(hostname, options, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (error || !first) callback(error ?? new ForbiddenTarget(hostname), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** What its owner does with a socket; nothing of it throws. */
export interface SocketOwner {
  /** Asked for literals and for all that a name resolves to. */
  mayConnect(address: string): boolean;
  ready(): void;
  /** @param bytes lent until the call returns */
  received(bytes: Buffer): void;
}

type Written = (error?: Error | null) => void;

/** Not told of a connection that the upstream has broken off: reading ends then too, behind an answer that came before. */
const withoutBreak =
  (written: Written): Written =>
  (error) => {
    const code = error && 'code' in error ? error.code : undefined;
    if (code !== 'EPIPE' && code !== 'ECONNRESET') written(error);
  };

/**
 * Who answers without reading all of a request, and closes, resets the connection. The next write learns of it first, and
 * its failure would take the unread answer away.
 */
function readToTheEnd(socket: Socket): void {
  const write = socket._write;
  const writeAll = socket._writev;
  // A stream hands over the same one with each write.
  let [given, kept]: (Written | undefined)[] = [];
  const unlessBroken = (written: Written): Written => {
    if (given !== written || !kept) [given, kept] = [written, withoutBreak(written)];
    return kept;
  };
  socket._write = (chunk, encoding, written) => write.call(socket, chunk, encoding, unlessBroken(written));
  if (writeAll) socket._writev = (chunks, written) => writeAll.call(socket, chunks, unlessBroken(written));
}

/** Connects to an upstream. The socket is destroyed with a `ForbiddenTarget` where it may not. */
export function openUpstreamSocket(
  { host, port, tls }: Upstream,
  context: SecureContextOptions,
  owner: SocketOwner,
): Socket {
  const lookup = guardedLookup((address) => owner.mayConnect(address));
  const options = { host, port, lookup, noDelay: true, keepAlive: true };
  const isLiteral = isIP(host) !== 0;
  let socket: Socket;
  if (tls) {
    socket = connectTls({ ...context, ...options, ...(!isLiteral && { servername: host }) });
    socket.once('secureConnect', () => owner.ready());
    socket.on('data', (bytes: Buffer) => owner.received(bytes));
  } else {
    const callback = (size: number): boolean => {
      owner.received(shared.subarray(0, size));
      return true;
    };
    socket = connect({ ...options, onread: { buffer: shared, callback } });
    socket.once('connect', () => owner.ready());
  }
  readToTheEnd(socket);
  // Literals are not looked up.
  if (isLiteral && !owner.mayConnect(host)) socket.destroy(new ForbiddenTarget(host));
  return socket;
}
