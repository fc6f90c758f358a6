import { Router } from 'express';
import { fetch } from 'undici';

/** Time for which the response of a ready core is reused. */
const READY_TTL_MS = 1_000;
/** Time for which the response of an unready core is reused. It is short, because the core may be starting. */
const UNREADY_TTL_MS = 100;
const TIMEOUT_MS = 2_000;

/**
 * `/healthz`: this process is alive. `/readyz`: the core is ready, and this process is not stopping.
 * @param isStopping true once a stop has been requested
 */
export function createHealthRouter(coreUrl: string, isStopping: () => boolean): Router {
  /** Infinity while a request to the core is open, so that a core that hangs gets only one request at a time. */
  let reusedUntil = Number.NEGATIVE_INFINITY;
  let lastReadiness: Promise<boolean> = Promise.resolve(false);

  async function askCore(): Promise<boolean> {
    let isReady = false;
    try {
      const response = await fetch(`${coreUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.arrayBuffer();
      isReady = response.ok;
    } catch {
      // A core that does not respond is not ready.
    }
    reusedUntil = performance.now() + (isReady ? READY_TTL_MS : UNREADY_TTL_MS);
    return isReady;
  }

  const isCoreReady = (): Promise<boolean> => {
    if (performance.now() >= reusedUntil) {
      reusedUntil = Number.POSITIVE_INFINITY;
      lastReadiness = askCore();
    }
    return lastReadiness;
  };

  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const isReady = !isStopping() && (await isCoreReady());
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'unavailable' });
  });
  return router;
}
