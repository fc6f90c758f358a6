import { Router } from 'express';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Database } from '../database/source';

/** `/healthz`: the process lives; `/readyz`: the database answers and no stop was asked for; `/metrics`: Prometheus text. */
export function operations(database: Database, isStopping: () => boolean): Router {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'core_requests_total',
    help: 'Requests by method and status class.',
    labelNames: ['method', 'status'],
    registers: [registry],
  });

  const router = Router();
  router.use((request, response, next) => {
    response.once('finish', () => {
      requests.inc({ method: request.method, status: `${Math.floor(response.statusCode / 100)}xx` });
    });
    next();
  });
  router.get('/healthz', (_request, response) => void response.type('text').send('ok\n'));
  router.get('/readyz', async (_request, response) => {
    const ready = !isStopping() && (await database.isReady());
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
  router.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  return router;
}
