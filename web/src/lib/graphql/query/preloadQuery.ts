import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { createQueryPreloader, type PreloadedQueryRef } from '@apollo/client/react';
import { redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { paths } from '../../routing/paths';
import { getToken } from '../../session/session';
import { client, readFresh } from '../client/client';

/** Time in ms that a navigation waits for a result, so that a quick result needs no skeleton. */
const WAIT_MS = 200;

const preloader = createQueryPreloader(client);

const waitForResult = (query: Promise<unknown>, ms = WAIT_MS): Promise<unknown> =>
  Promise.race([query, new Promise((resolve) => setTimeout(resolve, ms))]);

/** A query that a route has sent; read it with `usePreloadedQuery`. */
export type ScreenQuery<Data, Variables extends OperationVariables> = PreloadedQueryRef<
  Data,
  Variables,
  'complete' | 'streaming' | 'empty'
>;

interface Options<Variables> {
  variables?: Variables;
  /** `no-cache` is for a long list, because Apollo takes longer to normalise it than the server takes to respond. */
  fetchPolicy?: 'no-cache';
}

/**
 * For the `clientLoader` of a screen: sends its query while the code of the screen loads. Redirects a visitor to the
 * login. Resolves once the response has arrived, or after 200 ms.
 */
export async function preloadQuery<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  { variables, fetchPolicy }: Options<Variables> = {},
): Promise<ScreenQuery<Data, Variables>> {
  if (getToken() === null) throw redirect(paths.login);
  const options = { errorPolicy: 'all', fetchPolicy: fetchPolicy ?? 'cache-and-network', variables } as const;
  const queryRef = preloader<Data, OperationVariables>(query, options);
  await waitForResult(preloader.toPromise(queryRef));
  return queryRef;
}

/**
 * For the `clientLoader` of a screen whose components read the response from the cache: sends a query while the code of
 * the screen loads. If the query fails, the components send it again.
 * @param waitMs time after which the call resolves without the response; default 200 ms
 */
export async function prefetchQuery<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  waitMs?: number,
): Promise<void> {
  if (getToken() === null) return;
  await waitForResult(
    readFresh(query, variables).catch(() => undefined),
    waitMs,
  );
}

/** For the `shouldRevalidate` of a list: after a new search or filter, its components load the rows if necessary. */
export const revalidateNever = (): boolean => false;

/** For the page of one entity: loads the data again for another entity, but not for another tab or dialog. */
export const revalidateOnPathChange = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname;
