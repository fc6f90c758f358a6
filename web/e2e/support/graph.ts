import type { Page, Route } from 'playwright-core';

/** The operation that a request of the console asks for. */
export const operationOf = (route: Route): unknown => route.request().postDataJSON()?.operationName;

/** Calls of this operation fail from now on, as with the core away. @returns ends that */
export async function failOperation(page: Page, operation: string): Promise<() => Promise<void>> {
  const errors = [{ message: 'Serviço indisponível.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }];
  const fail = (route: Route) =>
    operationOf(route) === operation ? route.fulfill({ json: { data: null, errors } }) : route.fallback();
  await page.route('**/graphql', fail);
  return () => page.unroute('**/graphql', fail);
}

/** Calls of this operation wait from now on. @returns `asked` resolves with the first call, `release` lets all go on */
export async function holdOperation(page: Page, operation: string) {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (operationOf(route) === operation) {
      ask();
      await released;
    }
    await route.fallback();
  });
  return { asked, release };
}
