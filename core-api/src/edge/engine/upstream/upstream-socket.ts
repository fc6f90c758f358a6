import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import { createGuardedLookup, ForbiddenAddressError } from '../../../platform/net/guarded-lookup';
import type { Upstream } from '../types';

/**
 * All upstream sockets without TLS read into this one buffer, which saves an allocation per read. Bytes that are used
 * after the callback must be copied. The buffer holds a response of 64 KiB with its head.
 */
const readBuffer = Buffer.allocUnsafeSlow(128 * 1024);

/** Callbacks of an upstream socket, which must not throw. */
export interface UpstreamSocketHandler {
  /** Called for literal addresses and for every address of a name. */
  mayConnect(address: string): boolean;
  onReady(): void;
  /** @param bytes borrowed until the call returns */
  onBytes(bytes: Buffer): void;
}

type WriteCallback = (error?: Error | null) => void;

/** Hides EPIPE and ECONNRESET of a write from the stream, so that it still reads a response sent before the reset. */
const ignoreConnectionReset =
  (callback: WriteCallback): WriteCallback =>
  (error) => {
    const code = error && 'code' in error ? error.code : undefined;
    if (code !== 'EPIPE' && code !== 'ECONNRESET') callback(error);
  };

/**
 * Keeps a response readable after a failed write. If an upstream answers early and closes, its kernel sends a reset.
 * The next write then fails before the response is read, and Node would destroy the socket with the response.
 */
function ignoreWriteResets(socket: Socket): void {
  const write = socket._write;
  const writeAll = socket._writev;
  // A stream passes the same callback to each write, so the wrapper is cached.
  let [wrappedFor, wrapper]: (WriteCallback | undefined)[] = [];
  const wrap = (callback: WriteCallback): WriteCallback => {
    if (wrappedFor !== callback || !wrapper) [wrappedFor, wrapper] = [callback, ignoreConnectionReset(callback)];
    return wrapper;
  };
  socket._write = (chunk, encoding, callback) => write.call(socket, chunk, encoding, wrap(callback));
  if (writeAll) socket._writev = (chunks, callback) => writeAll.call(socket, chunks, wrap(callback));
}

/** Connects to an upstream. The socket is destroyed with a `ForbiddenAddressError` if the address is forbidden. */
export function openUpstreamSocket(
  { host, port, tls }: Upstream,
  context: SecureContextOptions,
  handler: UpstreamSocketHandler,
): Socket {
  const lookup = createGuardedLookup((address) => handler.mayConnect(address));
  const options = { host, port, lookup, noDelay: true, keepAlive: true };
  const isLiteral = isIP(host) !== 0;
  let socket: Socket;
  if (tls) {
    socket = connectTls({ ...context, ...options, ...(!isLiteral && { servername: host }) });
    socket.once('secureConnect', () => handler.onReady());
    socket.on('data', (bytes: Buffer) => handler.onBytes(bytes));
  } else {
    const callback = (size: number): boolean => {
      handler.onBytes(readBuffer.subarray(0, size));
      return true;
    };
    socket = connect({ ...options, onread: { buffer: readBuffer, callback } });
    socket.once('connect', () => handler.onReady());
  }
  ignoreWriteResets(socket);
  // `lookup` is not called for literal addresses.
  if (isLiteral && !handler.mayConnect(host)) socket.destroy(new ForbiddenAddressError(host));
  return socket;
}
