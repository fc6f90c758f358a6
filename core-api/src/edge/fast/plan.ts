import type { ClientAddress } from '../forward/client-address';
import type { Upstream } from '../forward/upstream';
import { createFrontDoor } from '../front-door';
import { routeFor } from '../gateway/match';
import { readPath } from '../gateway/request-path';
import type { TrafficKind } from '../metrics';
import type { State, TenantHeaders } from '../snapshot/state';
import type { RequestFields } from './request-head';

/** Where a request goes that nothing speaks against. */
export interface Plan {
  kind: TrafficKind;
  upstream: Upstream;
  /** Path and query. */
  path: string;
  /** The Host header that the upstream sees. */
  host: string;
  /** Header lines for this target, each with its CRLF. */
  extra: string;
  keyId: string | undefined;
}

export interface PlanOptions {
  baseDomain: string;
  core: Upstream;
  bff: Upstream;
  state: State;
}

const tenantLines = ({ id, subdomain, database }: TenantHeaders): string =>
  `X-Tenant-Id: ${id}\r\nX-Tenant-Subdomain: ${subdomain}\r\nX-Tenant-Database: ${database}\r\n`;

const isApi = (path: string): boolean =>
  path.startsWith('/api') && (path.length === 4 || path[4] === '/' || path[4] === '?');

/** Decides as `traffic.ts` does, but says only yes: what is to be refused, or is no proxying, takes the general path. */
export function createPlanner({ baseDomain, core, bff, state }: PlanOptions) {
  const decide = createFrontDoor(baseDomain, state);

  function gateway(method: string, target: string, { keys }: RequestFields, client: ClientAddress): Plan | undefined {
    const query = target.indexOf('?');
    const path = readPath(query < 0 ? target : target.slice(0, query));
    const match = path && state.routes.match(path);
    const route = match && routeFor(match.routes, method);
    const key = keys[0] && keys.length === 1 ? state.keys.find(keys[0]) : undefined;
    if (!route || !key?.allows(client.address) || !key.permits(route.permission)) return undefined;
    const destination = `${route.pathPrefix}${route.destination(match.captured, match.rest)}`;
    return {
      kind: 'gateway',
      upstream: route.upstream,
      path: query < 0 ? destination : destination + target.slice(query),
      host: route.upstream.authority,
      extra: `X-Gateway-Key-Id: ${key.id}\r\n`,
      keyId: key.id,
    };
  }

  return function plan(method: string, target: string, fields: RequestFields, client: ClientAddress): Plan | undefined {
    const destination = decide(fields.host);
    if (destination.kind === 'gateway') return gateway(method, target, fields, client);
    const { kind } = destination;
    const { host, keyLines } = fields;
    if (destination.kind === 'studio') {
      return { kind, upstream: isApi(target) ? core : bff, path: target, host, extra: keyLines, keyId: undefined };
    }
    if (destination.kind !== 'site') return undefined;
    const { site } = destination;
    if (site.kind === 'broken') return undefined;
    const upstream = site.kind === 'proxy' ? site.upstream : isApi(target) ? site.api : undefined;
    const extra = site.tenant ? keyLines + tenantLines(site.tenant) : keyLines;
    return upstream && { kind, upstream, path: target, host, extra, keyId: undefined };
  };
}
