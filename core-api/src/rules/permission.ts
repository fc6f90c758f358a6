const NAME = '[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*';
const ROUTE = new RegExp(`^${NAME}:${NAME}$`, 'u');
const KEY = new RegExp(`^(\\*|${NAME}:(\\*|${NAME}))$`, 'u');

/** What a route asks for: `resource:action` (contract §3). */
export const isRoutePermission = (text: string): boolean => text.length <= 100 && ROUTE.test(text);

/** What a key may hold: `*`, `resource:action` or `resource:*`. */
export const isKeyPermission = (text: string): boolean => text.length <= 100 && KEY.test(text);

/** A test whether permissions held cover the one that a route asks for; `r:le` never covers `r:ler`. */
export function compilePermissions(held: readonly string[]): (needed: string) => boolean {
  const set = new Set(held);
  if (set.has('*')) return () => true;
  return (needed) => set.has(needed) || set.has(`${needed.slice(0, needed.indexOf(':'))}:*`);
}
