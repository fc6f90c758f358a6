import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Makes a write inside a write throw at once. On SQLite it would wait for itself; on PostgreSQL it would not be part of
 * the outer transaction. Code inside a write uses the manager that it was given.
 */
export function createWriteGuard() {
  const writing = new AsyncLocalStorage<{ open: boolean }>();
  return async function guarded<T>(write: () => Promise<T>): Promise<T> {
    if (writing.getStore()?.open) throw new Error('a write inside a write: use the manager of the outer one');
    const scope = { open: true };
    try {
      return await writing.run(scope, write);
    } finally {
      scope.open = false;
    }
  };
}
