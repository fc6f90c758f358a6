import { lookup } from 'node:dns/promises';
import * as net from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { ListenAddress } from '../../listen-on';

/** A socket of libuv's own. Each call returns 0 or the number of an error. */
interface BoundSocket {
  readonly fd: number;
  getsockname(into: object): number;
  close(): void;
}

/**
 * What `node:cluster` makes a socket with that its workers share: bound, and not accepted from by this process, which
 * `net.Server` cannot do. Without an address all interfaces, of IPv6 too where there is any.
 */
const { _createServerHandle: bindSocket } = net as unknown as {
  _createServerHandle(address: string | null, port: number, family: number): BoundSocket | number;
};

function failed(code: string, address: string, port: number): Error {
  return Object.assign(new Error(`bind ${code} ${address}:${port}`), { code });
}

/** The port, which the workers listen to and this process only holds: what waits there outlives each of them. */
export class ListeningSocket {
  private constructor(
    /** Its descriptor in this process. */
    readonly fd: number,
    private readonly bound: BoundSocket | undefined,
  ) {}

  /** @throws when the address cannot be had */
  static async open(address: ListenAddress): Promise<ListeningSocket> {
    if ('fd' in address) return new ListeningSocket(address.fd, undefined);
    const { host, port } = address;
    const { address: literal, family } =
      host === undefined
        ? { address: null, family: 4 }
        : await lookup(host).catch(({ code }: NodeJS.ErrnoException) =>
            Promise.reject(failed(String(code), host, port)),
          );
    const bound = bindSocket(literal, port, family);
    // An address that is taken shows in the question for the name.
    const error = typeof bound === 'number' ? bound : bound.getsockname({});
    if (error !== 0 || typeof bound === 'number') throw failed(getSystemErrorName(error), literal ?? '::', port);
    return new ListeningSocket(bound.fd, bound);
  }

  /** Lets go of it. One that the service manager passed stays, for whoever listens next. */
  close(): void {
    this.bound?.close();
  }
}
