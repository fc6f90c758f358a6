/** Resolves once the page has nothing more urgent to do; after a second where the browser cannot tell (Safari). */
export const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if (window.requestIdleCallback) window.requestIdleCallback(resolve);
    else setTimeout(resolve, 1000);
  });
