import type { Socket } from 'node:net';

/** Decides whether a client connection is kept alive after a response (RFC 9112 §9.3), and how it is closed. */
export class KeepAlive {
  private isKeptAlive = true;
  private wasCloseSent = false;
  private endsWithConnection = false;

  /** Returns whether further requests may follow the current one. */
  get isEnabled(): boolean {
    return this.isKeptAlive;
  }

  /** Returns whether `Connection: close` was sent, so that the client expects no further response. */
  get hasSentClose(): boolean {
    return this.wasCloseSent;
  }

  /** Adds `Connection: close` to the next response whose head is not sent yet. */
  closeAfterResponse(): void {
    this.isKeptAlive = false;
  }

  /**
   * Decides whether a response is the last of its connection. Called when the response head is written.
   * @param endsWithConnection true if the end of the connection ends the body
   * @returns the `Connection` line with its CRLF, or '' if the default of the HTTP version applies
   */
  decideConnectionLine(minorVersion: 0 | 1, endsWithConnection: boolean): string {
    this.endsWithConnection = endsWithConnection;
    if (endsWithConnection) this.isKeptAlive = false;
    if (!this.isKeptAlive) {
      this.wasCloseSent = true;
      return 'Connection: close\r\n';
    }
    return minorVersion === 0 ? 'Connection: keep-alive\r\n' : '';
  }

  /**
   * Destroys a socket. If the body is delimited by the end of the connection and is unfinished, the socket is reset. A
   * normal end would make the body look complete. Unix sockets have no reset.
   */
  destroy(socket: Socket): void {
    const mustReset = this.endsWithConnection && !socket.writableFinished && socket.remoteAddress !== undefined;
    if (mustReset) socket.resetAndDestroy();
    else socket.destroy();
  }
}
