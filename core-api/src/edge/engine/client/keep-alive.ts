import type { Socket } from 'node:net';

/** Decides when a client connection ends: whether it is kept alive after a response (RFC 9112 §9.3), and how it is closed. */
export class KeepAlive {
  private enabled = true;
  private sentClose = false;
  private endsWithConnection = false;

  /** Whether further requests may follow the current one. */
  get isEnabled(): boolean {
    return this.enabled;
  }

  /** Whether `Connection: close` was sent: the client expects no further response. */
  get hasSentClose(): boolean {
    return this.sentClose;
  }

  /** The next response whose head is not sent yet is the last one, and contains `Connection: close`. */
  closeAfterResponse(): void {
    this.enabled = false;
  }

  /**
   * Fixes the persistence of a response at its head.
   * @param endsWithConnection the end of the connection is the end of the body
   * @returns the `Connection` line with its CRLF, '' where the version's default applies
   */
  connectionLine(minorVersion: 0 | 1, endsWithConnection: boolean): string {
    this.endsWithConnection = endsWithConnection;
    if (endsWithConnection) this.enabled = false;
    if (!this.enabled) {
      this.sentClose = true;
      return 'Connection: close\r\n';
    }
    return minorVersion === 0 ? 'Connection: keep-alive\r\n' : '';
  }

  /**
   * Destroys a socket. An unfinished body that ends with the connection is reset, because a normal end would make it look
   * complete. Unix sockets have no reset.
   */
  destroy(socket: Socket): void {
    const mustReset = this.endsWithConnection && !socket.writableFinished && socket.remoteAddress !== undefined;
    if (mustReset) socket.resetAndDestroy();
    else socket.destroy();
  }
}
