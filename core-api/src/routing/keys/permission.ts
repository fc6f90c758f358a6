const NAME = '[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*';
const ROUTE = new RegExp(`^${NAME}:${NAME}$`, 'u');
const KEY = new RegExp(`^(\\*|${NAME}:(\\*|${NAME}))$`, 'u');

/** Returns whether a text is a permission that a route may require, `resource:action` (contract §3). */
export const isRoutePermission = (text: string): boolean => text.length <= 100 && ROUTE.test(text);

/** Returns whether a text is a permission that a key may have, `*`, `resource:action` or `resource:*`. */
export const isKeyPermission = (text: string): boolean => text.length <= 100 && KEY.test(text);

/** Compiles permissions of a key to a predicate on a route's permission. `r:le` does not cover `r:ler`. */
export function compilePermissions(keyPermissions: readonly string[]): (permission: string) => boolean {
  const granted = new Set(keyPermissions);
  if (granted.has('*')) return () => true;
  return (permission) => granted.has(permission) || granted.has(`${permission.slice(0, permission.indexOf(':'))}:*`);
}
