/** Where the browser has no `requestIdleCallback` (Safari). */
const FALLBACK_MS = 1000;

/** Resolves once the page has nothing more urgent to do. */
export const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if (window.requestIdleCallback) window.requestIdleCallback(resolve);
    else setTimeout(resolve, FALLBACK_MS);
  });
