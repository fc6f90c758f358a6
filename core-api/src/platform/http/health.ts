import { Router } from 'express';
import type { Database } from '../database/database';
import { canReadMetrics, type RequestMetrics } from './metrics';

/**
 * `/healthz`: the process runs. `/readyz`: the database answers and no stop was requested. `/metrics`: Prometheus text,
 * for this machine and for callers with the token; other callers get the 404 of an unknown path.
 */
export function operationalRoutes(
  database: Pick<Database, 'isReady'>,
  isStopping: () => boolean,
  { registry }: RequestMetrics,
  metricsToken: string | undefined,
): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.type('text').send('ok\n'));
  router.get('/readyz', async (_request, response) => {
    const ready = !isStopping() && (await database.isReady());
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
  router.get('/metrics', async (request, response, next) => {
    if (canReadMetrics(request, metricsToken)) response.type(registry.contentType).send(await registry.metrics());
    else next();
  });
  return router;
}
