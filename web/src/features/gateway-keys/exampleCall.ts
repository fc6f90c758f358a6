import { createExamplePath } from '../../lib/gateway/examplePath';
import { covers } from '../../lib/gateway/permissions';
import { getGatewayUrl } from '../../lib/hosts/host';

interface CallableRoute {
  origin: string;
  methods: readonly string[];
  permission: string;
  public: boolean;
}

/** The route with the lowest rank is used: GET before other methods, then paths without parameters before others. */
const getRank = ({ methods, origin }: CallableRoute): number =>
  (methods.includes('GET') ? 0 : 2) + (/[:*]/.test(origin) ? 1 : 0);

/** Returns a `curl` command for a route that the key may call; undefined if there is no such route. */
export function formatExampleCall(
  { key, permissions }: { key: string; permissions: readonly string[] },
  routes: readonly CallableRoute[],
): string | undefined {
  const [route] = routes
    .filter((candidate) => !candidate.public && covers(permissions, candidate.permission))
    .sort((a, b) => getRank(a) - getRank(b));
  if (!route) return undefined;
  const method = route.methods.includes('GET') ? undefined : route.methods[0];
  const url = getGatewayUrl() + encodeURI(createExamplePath(route.origin)).replaceAll("'", '%27');
  // With `-X HEAD`, curl would wait for a body.
  const option = method === 'HEAD' ? '-I' : method && `-X ${method}`;
  const call = ['curl', option, `'${url}'`].filter(Boolean).join(' ');
  // The header is on a separate line, because a narrow screen would break a long line inside of the header.
  return `${call} \\\n  -H 'X-API-Key: ${key}'`;
}
