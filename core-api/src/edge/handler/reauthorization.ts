import { decide } from '../../routing/decide';
import type { RoutingDecision } from '../../routing/routing-decision';
import type { RoutingTable } from '../../routing/routing-table';
import { isSameUpstream } from '../../routing/upstream';
import type { Tunnel } from '../engine/types';
import type { EdgeDecision, EdgeExchange } from './edge-decision';
import type { ParsedHeaders } from './parsed-headers';

interface LastAuthorization {
  /** `RoutingTable.generation` at the authorization. */
  generation: number;
  /** Instant at which the key expires, ms since the epoch. */
  expiresAt: number;
}

/** Authorizes long responses and tunnels again, because their key, route or site may have changed. */
export class Reauthorization {
  private readonly lastAuthorization = new WeakMap<EdgeExchange, LastAuthorization>();

  constructor(private readonly routingTable: RoutingTable) {}

  private decideAgain(exchange: EdgeExchange): RoutingDecision | undefined {
    return exchange.parsedHeaders && decide(this.routingTable, exchange, exchange.parsedHeaders, Date.now());
  }

  /**
   * Returns whether a response in progress may continue. Its key must still be valid. A change of its upstream is
   * ignored. The engine calls this method four times a second, so the result is cached until the configuration changes
   * or the key expires.
   */
  isStillAuthorized(exchange: EdgeExchange): boolean {
    const { generation } = this.routingTable;
    const cached = this.lastAuthorization.get(exchange);
    if (cached && cached.generation === generation && Date.now() < cached.expiresAt) return true;
    const decision = this.decideAgain(exchange);
    if (decision?.action === 'refuse') return false;
    const expiresAt = (decision?.action === 'forward' ? decision.expiresAt : undefined) ?? Number.POSITIVE_INFINITY;
    this.lastAuthorization.set(exchange, { generation, expiresAt });
    return true;
  }

  /** Closes a tunnel that would now be refused or forwarded elsewhere. */
  reauthorize(tunnel: Tunnel<ParsedHeaders, EdgeDecision>): void {
    const { upstream } = tunnel.exchange;
    const lastDecision = tunnel.exchange.decision;
    const decision = this.decideAgain(tunnel.exchange);
    // The password of `Basic` was verified when the tunnel opened, and is not verified again.
    if (decision?.action === 'verify') return;
    const isAuthorized =
      decision?.action === 'forward' &&
      lastDecision?.action === 'forward' &&
      decision.keyId === lastDecision.keyId &&
      decision.site?.id === lastDecision.site?.id &&
      decision.path === lastDecision.path &&
      decision.upstreams.some(
        (target) => !upstream || (isSameUpstream(target, upstream) && target.tls === upstream.tls),
      );
    if (isAuthorized) tunnel.expiresAt = decision.expiresAt;
    else tunnel.close();
  }
}
