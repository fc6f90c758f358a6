const NAME = '[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*';
const ROUTE = new RegExp(`^${NAME}:${NAME}$`, 'u');
const KEY = new RegExp(`^(\\*|${NAME}:(\\*|${NAME}))$`, 'u');

/** Whether a text is a permission that a route requires: `resource:action` (contract §3). */
export const isRoutePermission = (text: string): boolean => text.length <= 100 && ROUTE.test(text);

/** Whether a text is a permission that a key holds: `*`, `resource:action` or `resource:*`. */
export const isKeyPermission = (text: string): boolean => text.length <= 100 && KEY.test(text);

/**
 * Compiles the permissions of a key to a predicate on the permission that a route requires. `r:le` does not cover
 * `r:ler`.
 */
export function compilePermissions(held: readonly string[]): (needed: string) => boolean {
  const set = new Set(held);
  if (set.has('*')) return () => true;
  return (needed) => set.has(needed) || set.has(`${needed.slice(0, needed.indexOf(':'))}:*`);
}
