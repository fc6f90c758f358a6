/** Delay in Safari, which has no `requestIdleCallback`. */
const FALLBACK_MS = 1000;
/** Maximum wait, because a busy machine may never be idle. */
const MAX_WAIT_MS = 2000;

/** Resolves once the page is idle, at the latest after `MAX_WAIT_MS`. In Safari it resolves after `FALLBACK_MS`. */
export const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if (window.requestIdleCallback) window.requestIdleCallback(resolve, { timeout: MAX_WAIT_MS });
    else setTimeout(resolve, FALLBACK_MS);
  });
