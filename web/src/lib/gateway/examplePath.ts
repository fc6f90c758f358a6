/** Returns a path that a route's pattern matches: `/vendas/pedidos/:id` gives `/vendas/pedidos/1`. */
export const createExamplePath = (pattern: string): string =>
  pattern
    .split('/')
    .map((segment) => (segment.startsWith(':') || segment === '*' ? '1' : segment))
    .join('/');
