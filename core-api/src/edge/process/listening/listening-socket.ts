import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { chmod, rm, stat } from 'node:fs/promises';
import * as net from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { ListenAddress, SocketAddress } from '../../../platform/lifecycle/listen-address';

/** A bound socket handle of libuv. */
interface BoundSocket {
  readonly fd: number;
  /** Returns 0 or an error number. Missing for a Unix socket. */
  getsockname?(into: object): number;
  close(): void;
}

/**
 * Private function of Node that binds a socket without accepting connections, which `net.Server` cannot do.
 * `node:cluster` uses it too. Without an address the socket is bound to all interfaces, with IPv6 where available.
 */
const { _createServerHandle: bindSocket } = net as unknown as {
  /** Creates a socket. For a Unix socket, `address` is the path, and `port` and `family` are -1. */
  _createServerHandle(address: string | null, port: number, family: number): BoundSocket | number;
};

function createBindError(code: string, address: string, port?: number): Error {
  return Object.assign(new Error(`bind ${code} ${port === undefined ? address : `${address}:${port}`}`), { code });
}

/** Returns whether a file is a socket without a listener. */
async function isStaleSocket(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isSocket()) return false;
  const socket = net.connect(path);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/** The listening socket. The primary holds it and workers accept from it, so the backlog outlives every worker. */
export class ListeningSocket {
  private constructor(
    /** File descriptor in this process. */
    readonly fd: number,
    private readonly boundSocket: BoundSocket | undefined,
  ) {}

  /** Binds an address, or takes an open descriptor. @throws Error with a `code` if the address cannot be bound */
  static async open(address: ListenAddress): Promise<ListeningSocket> {
    if ('fd' in address) return new ListeningSocket(address.fd, undefined);
    const { host, port } = address;
    const { address: literal, family } =
      host === undefined
        ? { address: null, family: 4 }
        : await lookup(host).catch(({ code }: NodeJS.ErrnoException) =>
            Promise.reject(createBindError(String(code), host, port)),
          );
    const bound = bindSocket(literal, port, family);
    // libuv reports EADDRINUSE only at the next call.
    const error = typeof bound === 'number' ? bound : (bound.getsockname?.({}) ?? 0);
    if (error !== 0 || typeof bound === 'number')
      throw createBindError(getSystemErrorName(error), literal ?? '::', port);
    return new ListeningSocket(bound.fd, bound);
  }

  /**
   * Opens a Unix socket for the user and the group of this process. If a killed edge has left a socket file without a
   * listener, the file is replaced.
   * @throws Error with a `code` if the address cannot be bound
   */
  static async openPath(address: SocketAddress): Promise<ListeningSocket> {
    if ('fd' in address) return new ListeningSocket(address.fd, undefined);
    const { path } = address;
    if (await isStaleSocket(path)) await rm(path, { force: true });
    const bound = bindSocket(path, -1, -1);
    if (typeof bound === 'number') throw createBindError(getSystemErrorName(bound), path);
    await chmod(path, 0o660);
    return new ListeningSocket(bound.fd, bound);
  }

  /** Closes a socket that this process has bound. A socket that the service manager passed stays open. */
  close(): void {
    this.boundSocket?.close();
  }
}
