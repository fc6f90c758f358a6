import type { EntityManager } from 'typeorm';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { createFieldError } from '../../../platform/errors/rule-error';
import { formatOriginKey, parsePattern } from '../../../routing/routes/route-pattern';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import { writeSearchTexts } from './write-search-texts';

/**
 * Replaces the first segment `/{from}` with `/{to}` in the origins of a service.
 * @returns whether any origin was moved
 * @throws RuleError conflict if another route has one of the new origins; invalid if an origin becomes too long
 */
export async function renameOrigins(
  manager: EntityManager,
  serviceId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  if (from === to) return false;
  const belowOldName = new RegExp(`^/${from}(?=/|$)`, 'i');
  const routes = await manager.find(GatewayRoute, { where: { serviceId }, relations: { methods: true } });
  const movedRoutes = routes.filter(({ origin }) => belowOldName.test(origin));
  const methods: Omit<GatewayRouteMethod, 'route'>[] = [];
  for (const route of movedRoutes) {
    const routeId = route._id;
    const origin = route.origin.replace(belowOldName, `/${to}`);
    const pattern = parsePattern(origin);
    if (!pattern) throw createFieldError('invalid', 'name', messages.origin);
    await manager.update(GatewayRoute, { _id: routeId }, { origin, version: route.version + 1 });
    await manager.delete(GatewayRouteMethod, { routeId });
    methods.push(...route.methods.map(({ method }) => ({ routeId, method, originKey: formatOriginKey(pattern) })));
  }
  await insertAll(manager, GatewayRouteMethod, methods).catch(
    mapUniqueViolation({ 'gateway_route_methods(originKey, method)': ['name', messages.takenBelow(to)] }),
  );
  await writeSearchTexts(manager, serviceId);
  return movedRoutes.length > 0;
}
