import { dryRunEndpoints } from '../features/gateway/dry-run/dry-run.routes';
import { DryRunService } from '../features/gateway/dry-run/dry-run.service';
import { keyEndpoints } from '../features/gateway/keys/keys.routes';
import { countKeys, KeysService } from '../features/gateway/keys/keys.service';
import { manifestEndpoints } from '../features/gateway/manifest/manifest.routes';
import { ManifestService } from '../features/gateway/manifest/manifest.service';
import { RequestLogService } from '../features/gateway/requests/request-log.service';
import { requestEndpoints } from '../features/gateway/requests/requests.routes';
import { renameOrigins } from '../features/gateway/routes/rename-origins';
import { routeEndpoints } from '../features/gateway/routes/routes.routes';
import { findRoutePermissions, RoutesService } from '../features/gateway/routes/routes.service';
import { serviceEndpoints } from '../features/gateway/services/services.routes';
import { ServicesService } from '../features/gateway/services/services.service';
import { metricsEndpoints } from '../features/gateway/usage/metrics.routes';
import { MetricsService, type NameLookups } from '../features/gateway/usage/metrics.service';
import { usageEndpoints } from '../features/gateway/usage/usage.routes';
import { UsageService } from '../features/gateway/usage/usage.service';
import type { SubdomainsService } from '../features/subdomains/subdomains.service';
import type { AppContext } from './app-context';
import { createRoutingTableReader } from './config-loader';

export type Gateway = ReturnType<typeof createGateway>;

/** Composes services, routes and keys of the gateway, with the counts and the log of requests (contract §5). */
export function createGateway({ config, database }: AppContext, subdomains: SubdomainsService) {
  const keys = new KeysService(database);
  const dependents = { renameOrigins, findRoutePermissions, countKeys };
  const services = new ServicesService({ database, ownPorts: config.OWN_PORTS, ...dependents });
  const routes = new RoutesService(database);
  const requests = new RequestLogService(database, keys, subdomains);
  const manifest = new ManifestService(services, routes, keys, config.OWN_PORTS);
  const loadRoutingTable = createRoutingTableReader(database, config, ['service', 'route', 'key']);
  const dryRun = new DryRunService(config, loadRoutingTable, routes, keys);
  const findNames: NameLookups = {
    service: () => services.findNames(),
    route: (ids) => routes.findNames(ids),
    key: (ids) => keys.findNames(ids),
  };
  const metrics = new MetricsService(database, findNames, (ids) => keys.findPrefixes(ids));
  return {
    keys,
    routes,
    requests,
    endpoints: [
      ...serviceEndpoints(services),
      ...manifestEndpoints(manifest),
      ...routeEndpoints(routes),
      ...dryRunEndpoints(dryRun),
      ...keyEndpoints(keys),
      ...requestEndpoints(requests),
      ...metricsEndpoints(metrics),
      ...usageEndpoints(new UsageService(database, keys)),
    ],
  };
}
