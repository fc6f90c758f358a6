import type { EntityManager } from 'typeorm';
import { takenAs } from '../../database/conflicts';
import { insertAll } from '../../database/insert-all';
import { fieldError } from '../../errors';
import { originKey, parsePattern } from '../../rules/route-pattern';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';

/**
 * Moves the origins of a service that lie below `/{from}` to `/{to}`, as its imports write them.
 * @returns whether there was one
 * @throws RuleError conflict where another service has such an origin; invalid where one becomes too long
 */
export async function renameOrigins(
  manager: EntityManager,
  serviceId: string,
  from: string,
  to: string,
): Promise<boolean> {
  if (from === to) return false;
  const below = new RegExp(`^/${from}(?=/|$)`);
  const routes = await manager.find(GatewayRoute, {
    where: { serviceId },
    relations: { methods: true },
  });
  const moved = routes.filter(({ origin }) => below.test(origin));
  const methods: Omit<GatewayRouteMethod, 'route'>[] = [];
  for (const { _id, origin: old, methods: own } of moved) {
    const origin = old.replace(below, `/${to}`);
    const pattern = parsePattern(origin);
    if (!pattern) throw fieldError('invalid', 'name', messages.origin);
    await manager.update(GatewayRoute, { _id }, { origin });
    await manager.delete(GatewayRouteMethod, { routeId: _id });
    methods.push(...own.map(({ method }) => ({ routeId: _id, method, originKey: originKey(pattern) })));
  }
  await insertAll(manager, GatewayRouteMethod, methods).catch(
    takenAs({ 'gateway_route_methods(originKey, method)': ['name', messages.takenBelow(to)] }),
  );
  return moved.length > 0;
}
