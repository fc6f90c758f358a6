import type { RateLimit } from '../../decide/rows';
import { type Granted, RateWindow, type WindowState } from '../../rules/rate-window';
import type { StateFolder } from './state-folder';

/** Where the workers of this machine lease what keys with a limit may use. */
export interface Rates {
  /** @param now ms since the epoch */
  take(keyId: string, wanted: number, now: number): Granted | Promise<Granted>;
  giveBack(keyId: string, unused: number, slice: number): void;
  /** Forgets keys that are gone or have no limit any more. */
  prune(): void;
}

/** @param limitOf a key's limit as it is now */
type LimitOf = (keyId: string) => RateLimit | undefined;

/** For a key that has no limit any more: the worker learns so in a moment. */
export const unlimited = (wanted: number, now: number): Granted => ({
  given: wanted,
  slice: 0,
  endsAt: now + 1000,
  waitMs: 0,
});

/** Windows of all keys that have a limit, counted by this machine alone. */
export class RateWindows implements Rates {
  protected readonly windows = new Map<string, RateWindow>();

  constructor(private readonly limitOf: LimitOf) {}

  take(keyId: string, wanted: number, now: number): Granted {
    const limit = this.limitOf(keyId);
    return limit ? this.windowOf(keyId, limit).take(wanted, now) : unlimited(wanted, now);
  }

  /** What was let through by another's leave. */
  add(keyId: string, count: number, now: number): void {
    const limit = this.limitOf(keyId);
    if (limit) this.windowOf(keyId, limit).add(count, now);
  }

  giveBack(keyId: string, unused: number, slice: number): void {
    this.windows.get(keyId)?.giveBack(unused, slice);
  }

  prune(): void {
    for (const keyId of this.windows.keys()) if (!this.limitOf(keyId)) this.windows.delete(keyId);
  }

  /** A new number of requests keeps what was used; another length begins anew. */
  private windowOf(keyId: string, { requests, seconds }: RateLimit): RateWindow {
    let window = this.windows.get(keyId);
    if (window?.seconds !== seconds) {
      window = new RateWindow(requests, seconds);
      this.windows.set(keyId, window);
    }
    window.requests = requests;
    return window;
  }
}

interface KeptWindow {
  keyId: string;
  seconds: number;
  state: WindowState;
}

const FILE = 'rates.json';

/** Windows of a machine that has its database to itself, kept in a file: a restart begins no new ones. */
export class KeptRateWindows extends RateWindows {
  private isChanged = false;

  constructor(
    limitOf: LimitOf,
    private readonly files: StateFolder,
  ) {
    super(limitOf);
  }

  override take(keyId: string, wanted: number, now: number): Granted {
    this.isChanged = true;
    return super.take(keyId, wanted, now);
  }

  override giveBack(keyId: string, unused: number, slice: number): void {
    this.isChanged = true;
    super.giveBack(keyId, unused, slice);
  }

  /** Goes on with what the edge before this one has counted. */
  async restore(): Promise<void> {
    const found = await this.files.read(FILE);
    for (const { keyId, seconds, state } of (found?.value ?? []) as KeptWindow[])
      this.windows.set(keyId, new RateWindow(0, seconds, state));
  }

  /** Writes what has changed since the last call. */
  async persist(): Promise<void> {
    if (!this.isChanged) return;
    this.isChanged = false;
    const kept: KeptWindow[] = [...this.windows].map(([keyId, { seconds, state }]) => ({ keyId, seconds, state }));
    await this.files.write(FILE, kept).catch((error: unknown) => {
      this.isChanged = true;
      throw error;
    });
  }
}
