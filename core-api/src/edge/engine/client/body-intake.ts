import type { Socket } from 'node:net';
import { RequestBody } from '../message/request-body';
import type { ClientInput } from './client-input';
import type { ClientTimeouts } from './client-timeouts';

const NO_BODY = new RequestBody(0);

/** Reads the body of the current request from a client's input, with back-pressure and a minimum rate. */
export class BodyIntake<C> {
  private body = NO_BODY;
  private isPaused = false;

  constructor(
    private readonly socket: Socket,
    private readonly input: ClientInput<C>,
    private readonly timeouts: ClientTimeouts,
  ) {}

  /** @param framing declared length in bytes, or 'chunked' */
  begin(framing: number | 'chunked'): void {
    this.body = framing === 0 ? NO_BODY : new RequestBody(framing);
    this.isPaused = false;
  }

  /** @returns the number of bytes read, with framing, or 'bad' for a malformed body */
  read(): number | 'bad' {
    return this.input.readBody(this.body);
  }

  /** Content of the last `read`. */
  get content(): Buffer | undefined {
    return this.body.content;
  }

  get isEnded(): boolean {
    return this.body.isEnded;
  }

  get receivedBytes(): number {
    return this.body.receivedBytes;
  }

  /** Marks the body as paused; the socket itself is paused by `pauseSocket`, unless `resume` is called before. */
  pause(): void {
    this.isPaused = true;
  }

  pauseSocket(): void {
    if (this.isPaused) this.socket.pause();
  }

  resume(): void {
    this.isPaused = false;
    if (this.socket.isPaused()) this.socket.resume();
  }

  /** @param elapsedMs the part of the time since the last call when the edge could have read */
  isTooSlow(elapsedMs: number): boolean {
    return !this.isPaused && this.timeouts.isBodyTooSlow(this.body.receivedBytes, elapsedMs);
  }
}
