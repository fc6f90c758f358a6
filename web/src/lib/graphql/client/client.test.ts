import { ApolloLink, gql, type TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { renderHook, waitFor } from '@testing-library/react';
import { delay, of } from 'rxjs';
import { endSession, startSession } from '../../session/session';
import { client } from './client';

const query = gql`
  query Name {
    name
  }
`;
const readCache = () => client.readQuery({ query });
/** Apollo clears its cache asynchronously, before the next turn of the event loop. */
const waitForNextTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

afterEach(async () => {
  endSession();
  await waitForNextTurn();
});

beforeEach(() => {
  startSession('a', 'ana');
  client.writeQuery({ query, data: { name: 'Ana' } });
});

test('a new token of the same account keeps the cache', async () => {
  startSession('b', 'ana');
  await waitForNextTurn();
  expect(readCache()).toEqual({ name: 'Ana' });
});

test('a logout empties the cache', async () => {
  endSession();
  await waitForNextTurn();
  expect(readCache()).toBeNull();
});

test('a login of another account in another tab empties the cache, even without a logout', async () => {
  localStorage.setItem('account', 'bruno');
  localStorage.setItem('token', 'b');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  await waitForNextTurn();
  expect(readCache()).toBeNull();
});

test('a query with variables that it used before shows the cached data while it reads them again', async () => {
  const requestedIds: string[] = [];
  client.setLink(
    new ApolloLink(({ variables }) => {
      requestedIds.push(variables.id);
      return of({ data: { named: `${variables.id}${requestedIds.length}` } }).pipe(delay(10));
    }),
  );
  const namedQuery: TypedDocumentNode<{ named: string }> = gql`
    query Named($id: ID!) {
      named(id: $id)
    }
  `;
  const { result, rerender } = renderHook(({ id }) => useQuery(namedQuery, { client, variables: { id } }).data?.named, {
    initialProps: { id: 'a' },
  });
  await waitFor(() => expect(result.current).toBe('a1'));
  rerender({ id: 'b' });
  await waitFor(() => expect(result.current).toBe('b2'));
  rerender({ id: 'a' });
  expect(result.current).toBe('a1');
  await waitFor(() => expect(result.current).toBe('a3'));
  expect(requestedIds).toEqual(['a', 'b', 'a']);
});
