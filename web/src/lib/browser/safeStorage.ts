/**
 * The browser's storage, or the memory of this page if the browser refuses storage. Browsers throw at `setItem` if
 * the quota is full, and already at `window.localStorage` if cookies are blocked.
 */
function createSafeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  const tryStorage = <Value>(use: (storage: Storage) => Value): Value | undefined => {
    try {
      return use(open());
    } catch {
      return undefined;
    }
  };
  return {
    get: (key: string): string | null => memory.get(key) ?? tryStorage((storage) => storage.getItem(key)) ?? null,
    set: (key: string, value: string): void => {
      memory.set(key, value);
      tryStorage((storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      });
    },
    remove: (key: string): void => {
      memory.delete(key);
      tryStorage((storage) => storage.removeItem(key));
    },
    keys: (): string[] => [...memory.keys(), ...(tryStorage((storage) => Object.keys(storage)) ?? [])],
  };
}

export const localStore = createSafeStorage(() => window.localStorage);
export const sessionStore = createSafeStorage(() => window.sessionStorage);
