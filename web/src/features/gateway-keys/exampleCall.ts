import { siteHost, siteUrl } from '../../lib/host';
import { covers } from './permissionGroups';

interface CallableRoute {
  origin: string;
  methods: readonly string[];
  permission: string;
  public: boolean;
}

/** GET before methods that change something; origins without parameters before those with. */
const rank = ({ methods, origin }: CallableRoute): number =>
  (methods.includes('GET') ? 0 : 2) + (/[:*]/.test(origin) ? 1 : 0);

/** A path that an origin matches: `/vendas/pedidos/:id` -> `/vendas/pedidos/1`. */
const examplePath = (origin: string): string =>
  encodeURI(
    origin
      .split('/')
      .map((segment) => (segment.startsWith(':') || segment === '*' ? '1' : segment))
      .join('/'),
  ).replaceAll("'", '%27');

/** A complete `curl` command for a route that the key may call; undefined when there is no such route. */
export function exampleCall(
  { key, permissions }: { key: string; permissions: readonly string[] },
  routes: readonly CallableRoute[],
): string | undefined {
  const [route] = routes
    .filter((candidate) => !candidate.public && covers(permissions, candidate.permission))
    .sort((a, b) => rank(a) - rank(b));
  if (!route) return undefined;
  const method = route.methods.includes('GET') ? undefined : route.methods[0];
  const address = siteUrl(siteHost('api')) + examplePath(route.origin);
  return ['curl', ...(method ? [`-X ${method}`] : []), `'${address}'`, `-H 'X-API-Key: ${key}'`].join(' ');
}
