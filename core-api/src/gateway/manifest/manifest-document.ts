import { z } from 'zod';
import { isRoutePermission } from '../../rules/permission';
import { formatPattern, parsePattern } from '../../rules/route-pattern';
import { type HttpMethod, httpMethods } from '../routes/route.entity';

export interface ManifestRoute {
  method: HttpMethod;
  path: string;
  /** Empty when the document names none. */
  permission: string;
  summary?: string;
}

const MOST_ROUTES = 2000;

const method = z.string().toUpperCase().pipe(z.enum(httpMethods));
const summary = z
  .string()
  .transform((text) => text.slice(0, 300))
  .optional()
  .catch(undefined);
const permission = z.string().trim().optional().catch(undefined);

const ownRoutes = z.array(z.object({ method, path: z.string(), permission, summary })).max(MOST_ROUTES);
const ownFormat = z.union([ownRoutes, z.object({ routes: ownRoutes }).transform(({ routes }) => routes)]);

const security = z
  .array(z.record(z.string(), z.array(z.string())))
  .optional()
  .catch(undefined);
const operation = z.object({ summary, 'x-permission': permission, security });
const openApi = z.object({
  openapi: z.string().regex(/^3\./),
  servers: z
    .array(z.object({ url: z.string() }))
    .optional()
    .catch(undefined),
  security,
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

const usable = (text: string | undefined) => (text && isRoutePermission(text) ? text : '');

/** `{id}` becomes `:id`; nothing for a path that no route could have. */
function toPattern(path: string): string | undefined {
  const parsed = parsePattern(path.replace(/\{(\w+)\}/g, ':$1'));
  return parsed && formatPattern(parsed);
}

/** The path of `servers[0]`, without a trailing slash; it may be relative. */
function basePath(servers: { url: string }[] | undefined): string {
  const url = servers?.[0]?.url ?? '';
  return URL.canParse(url, 'http://service') ? new URL(url, 'http://service').pathname.replace(/\/+$/, '') : '';
}

/** The only scope of the only scheme, if that is what the operation asks for. */
function singleScope(requirements: z.infer<typeof security>): string | undefined {
  const scopes = new Set((requirements ?? []).flatMap((one) => Object.values(one).flat()));
  return scopes.size === 1 ? [...scopes][0] : undefined;
}

function fromOpenApi(document: z.infer<typeof openApi>): ManifestRoute[] {
  const base = basePath(document.servers);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([name, value]) => {
      const known = method.safeParse(name);
      const details = operation.safeParse(value);
      const pattern = toPattern(`${base}${path}`);
      if (!known.success || !details.success || !pattern) return [];
      const scope = details.data['x-permission'] ?? singleScope(details.data.security ?? document.security);
      return [{ method: known.data, path: pattern, permission: usable(scope), summary: details.data.summary }];
    }),
  );
}

/** Routes of a manifest in our own format or of an OpenAPI 3.x document (contract §3); nothing when it is neither. */
export function readManifest(document: unknown): ManifestRoute[] | undefined {
  const own = ownFormat.safeParse(document);
  if (own.success) {
    return own.data.flatMap((route) => {
      const path = toPattern(route.path);
      return path ? [{ ...route, path, permission: usable(route.permission) }] : [];
    });
  }
  const api = openApi.safeParse(document);
  return api.success ? fromOpenApi(api.data).slice(0, MOST_ROUTES) : undefined;
}
