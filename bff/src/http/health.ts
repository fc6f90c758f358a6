import { Router } from 'express';

/** How long one answer of the core is believed, in milliseconds. */
const BELIEVED = 1_000;
const DEADLINE = 2_000;

/**
 * `/healthz`: this process is alive. `/readyz`: it can do its job, that is, the core is ready and no stop is under way.
 * @param isStopping true once the process has been told to stop
 */
export function health(coreUrl: string, isStopping: () => boolean): Router {
  let asked = Number.NEGATIVE_INFINITY;
  let ready: Promise<boolean> = Promise.resolve(false);

  const coreIsReady = (): Promise<boolean> => {
    if (performance.now() - asked > BELIEVED) {
      asked = performance.now();
      ready = fetch(`${coreUrl}/readyz`, { signal: AbortSignal.timeout(DEADLINE) }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.ok;
        },
        () => false,
      );
    }
    return ready;
  };

  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const isReady = !isStopping() && (await coreIsReady());
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'unavailable' });
  });
  return router;
}
