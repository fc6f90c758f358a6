import { Client } from 'pg';
import { CONFIG_CHANNEL } from '../../platform/config-revisions/config-revisions';
import { type ChangeSignal, MAX_POLL_PAUSE_MS, POLL_PAUSE_MS } from './change-signal';

/**
 * After a network failure the kernel ends the connection in about 12 s (ten probes). Until then, saves wait for a poll
 * every 500 ms.
 */
const CONNECTION = { connectionTimeoutMillis: 2_000, keepAlive: true, keepAliveInitialDelayMillis: 1_000 };
const RECONNECT_MS = 1_000;

/** Signals changes that a core has committed to PostgreSQL (`LISTEN`). It reconnects when its connection ends. */
export class PostgresNotifications implements ChangeSignal {
  private client: Client | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private isListening = false;
  private isClosed = false;

  constructor(private readonly url: string) {}

  get pauseMs(): number {
    return this.isListening ? MAX_POLL_PAUSE_MS : POLL_PAUSE_MS;
  }

  watch(onChange: (pauseMs: number) => void): void {
    const client = new Client({ connectionString: this.url, ...CONNECTION });
    this.client = client;
    client.on('notification', () => onChange(0));
    const onEnd = () => {
      if (this.client !== client) return;
      this.client = undefined;
      this.isListening = false;
      if (this.isClosed) return;
      // The current pause relies on notifications, which have stopped, so it may be too long.
      onChange(POLL_PAUSE_MS);
      this.reconnectTimer = setTimeout(() => this.watch(onChange), RECONNECT_MS).unref();
    };
    client.on('error', onEnd);
    client.on('end', onEnd);
    client
      .connect()
      .then(() => client.query(`LISTEN ${CONFIG_CHANNEL}`))
      .then(() => {
        this.isListening = this.client === client;
        // A change may have been committed before `LISTEN`, so the primary polls once.
        onChange(0);
      })
      .catch(() => {
        onEnd();
        return client.end();
      })
      .catch(() => undefined);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.reconnectTimer);
    this.client?.end().catch(() => undefined);
  }
}
