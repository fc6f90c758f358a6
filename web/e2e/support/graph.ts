import type { Page, Route } from 'playwright-core';
import { createHold } from './hold';

/** Returns the name of the GraphQL operation in a request of the console. */
export const getOperationName = (route: Route): unknown => route.request().postDataJSON()?.operationName;

/**
 * Makes the calls of this operation fail as if the core were down. @returns a function that lets them succeed again
 */
export async function failOperation(page: Page, operation: string): Promise<() => Promise<void>> {
  const errors = [{ message: 'Serviço indisponível.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }];
  const failMatching = (route: Route) =>
    getOperationName(route) === operation ? route.fulfill({ json: { data: null, errors } }) : route.fallback();
  await page.route('**/graphql', failMatching);
  return () => page.unroute('**/graphql', failMatching);
}

/**
 * Holds the calls of this operation.
 * @returns `requested` resolves at the first call, `release` lets all calls continue
 */
export async function holdOperation(page: Page, operation: string) {
  const { whileHeld: requested, release: markRequested } = createHold();
  const { whileHeld, release } = createHold();
  await page.route('**/graphql', async (route) => {
    if (getOperationName(route) === operation) {
      markRequested();
      await whileHeld;
    }
    await route.fallback();
  });
  return { requested, release };
}
