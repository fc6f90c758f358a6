import type { Clock } from './clock';
import type { Limits } from './limits';
import type { WebSocketTunnel } from './tunnel/tunnel';
import type { Exchange, Handler } from './types';
import type { Pool } from './upstream/pool';

/** The parts of the engine that a client connection uses. @typeParam Connection the client connection */
export interface ConnectionContext<Connection> {
  readonly handler: Handler<unknown>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly isDraining: boolean;
  readonly pool: Pool;
  readonly openTunnels: Set<WebSocketTunnel>;
  /** Reports an exception after its connection was ended. */
  reportFault(error: unknown, exchange: Exchange<unknown> | undefined): void;
  onConnectionClosed(connection: Connection): void;
}
