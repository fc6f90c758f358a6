import { gql } from '@apollo/client';
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
