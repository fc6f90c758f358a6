/**
 * The browser's storage, or memory of this page if the browser refuses it. Some browsers refuse storage (blocked cookies, a
 * full quota) by throwing at every touch, even of the property.
 */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  const attempt = <Value>(use: (storage: Storage) => Value): Value | undefined => {
    try {
      return use(open());
    } catch {
      return undefined;
    }
  };
  return {
    get: (key: string): string | null => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set: (key: string, value: string): void => {
      memory.set(key, value);
      attempt((storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      });
    },
    remove: (key: string): void => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    keys: (): string[] => [...memory.keys(), ...(attempt((storage) => Object.keys(storage)) ?? [])],
  };
}

/** `localStorage` that never throws. */
export const localStore = safeStorage(() => window.localStorage);
/** `sessionStorage` that never throws. */
export const sessionStore = safeStorage(() => window.sessionStorage);
