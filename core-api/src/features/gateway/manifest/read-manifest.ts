import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { type HttpMethod, httpMethods } from '../../../routing/http-method';
import { isRoutePermission } from '../../../routing/keys/permission';
import { formatOriginKey, parsePattern } from '../../../routing/routes/route-pattern';
import { listOperations } from './api-operations';
import { ManifestError, type ManifestOwner } from './manifest';
import { manifestMessages as messages } from './manifest.messages';
import type { Manifest, RouteForImport } from './manifest.schema';
import { type PatternOrReason, toPattern } from './path-template';
import { firstServer, resolveServerUrl, type ServerLocation } from './server-path';
import { suggestPermission } from './suggested-permission';

const MAX_OPERATIONS = 5_000;
const MAX_SHOWN_LENGTH = 300;
/** Adds a missing leading slash. An empty path stays empty. */
const withLeadingSlash = (path: string): string => path.replace(/^(?=[^/])/, '/');

const shortened = z
  .string()
  .transform((text) => text.slice(0, MAX_SHOWN_LENGTH))
  .optional()
  .catch(undefined);
const trimmed = z.string().trim().optional().catch(undefined);

const ownRoute = z.object({ method: z.string(), path: z.string(), permission: trimmed, summary: shortened });
const unreadableRoute = z
  .object({ method: z.string().optional().catch(undefined), path: z.string().optional().catch(undefined) })
  .catch({});

const security = z
  .array(z.record(z.string(), z.array(z.string())))
  .optional()
  .catch(undefined);
const operationSchema = z.object({ summary: shortened, 'x-permission': trimmed, security, servers: firstServer });
const pathItemSchema = z.object({ servers: firstServer });
const paths = z.record(z.string(), z.unknown()).default({});
const createVersionSchema = (pattern: RegExp) =>
  z.union([z.string(), z.number()]).transform(String).pipe(z.string().regex(pattern));
const openApi = z.object({ openapi: createVersionSchema(/^3(\.|$)/), servers: firstServer, security, paths });
const swagger = z
  .object({
    swagger: createVersionSchema(/^2(\.0)?$/),
    basePath: z.string().optional().catch(undefined),
    security,
    paths,
  })
  .transform(({ basePath = '', ...document }) => ({
    ...document,
    servers: { url: withLeadingSlash(basePath), variables: undefined },
  }));
const apiDocument = z.union([openApi, swagger]);

/** The scope of the security requirements; undefined if they have none or several. */
function findSingleScope(requirements: z.infer<typeof security>): string | undefined {
  const scopes = new Set((requirements ?? []).flatMap((requirement) => Object.values(requirement).flat()));
  return scopes.size === 1 ? [...scopes][0] : undefined;
}

const createTooManyError = (count: number) => new ManifestError(messages.tooMany(count, MAX_OPERATIONS));

const isMethod = (text: string): text is HttpMethod => httpMethods.some((method) => method === text);

/** An operation that is not yet checked as a route. */
interface Candidate extends Pick<RouteForImport, 'otherServer' | 'summary'> {
  method: string | undefined;
  /** Path as written in the document. */
  path: string;
  permission: string | undefined;
  /** The route's pattern, or the reason why the operation is skipped. */
  result: PatternOrReason;
}

type RouteOrReason = RouteForImport | { reason: string };

/** Collects routes and skipped operations, so that no operation is dropped silently. */
class ManifestBuilder {
  private readonly routes: RouteForImport[] = [];
  private readonly skipped: Manifest['skipped'] = [];
  private readonly pathByKey = new Map<string, string>();
  private count = 0;

  constructor(private readonly owner: ManifestOwner) {}

  add(candidate: Candidate): void {
    this.count += 1;
    if (this.count > MAX_OPERATIONS) return;
    const method = candidate.method?.toUpperCase();
    const route = this.registerRoute(method, candidate);
    if ('reason' in route)
      this.skipped.push({
        ...(method && { method: method.slice(0, MAX_SHOWN_LENGTH) }),
        path: candidate.path.slice(0, MAX_SHOWN_LENGTH),
        // A reason quotes the document, where every operation may refer to the same long text.
        reason: route.reason.slice(0, 2 * MAX_SHOWN_LENGTH),
      });
    else this.routes.push(route);
  }

  private registerRoute(method = '', { path, permission, result, summary, otherServer }: Candidate): RouteOrReason {
    if ('reason' in result) return result;
    if (!isMethod(method)) return { reason: messages.method(method) };
    const pattern = parsePattern(result.pattern);
    const key = `${method} ${pattern && formatOriginKey(pattern)}`;
    const earlierPath = this.pathByKey.get(key);
    if (earlierPath !== undefined) return { reason: messages.duplicateRoute(method, earlierPath) };
    this.pathByKey.set(key, path);
    const validPermission = permission && isRoutePermission(permission) ? permission : '';
    return {
      method,
      path: result.pattern,
      permission: validPermission,
      ...(!validPermission && { suggestedPermission: suggestPermission(method, path, this.owner.name) }),
      ...(summary !== undefined && { summary }),
      ...(otherServer !== undefined && { otherServer: otherServer.slice(0, MAX_SHOWN_LENGTH) }),
    };
  }

  /** The routes that were read, and the skipped operations. @throws ManifestError for more than 5,000 operations */
  get manifest(): Manifest {
    if (this.count > MAX_OPERATIONS) throw createTooManyError(this.count);
    return { routes: this.routes, skipped: this.skipped };
  }
}

/** Adds the routes of a manifest in our own format. @returns false if no entry of a non-empty list is a route */
function addOwnRoutes(list: readonly unknown[], owner: ManifestOwner, builder: ManifestBuilder): boolean {
  const entries = list.map((entry) => ({ entry, parsed: ownRoute.safeParse(entry) }));
  if (list.length > 0 && !entries.some(({ parsed }) => parsed.success)) return false;
  for (const [index, { entry, parsed }] of entries.entries()) {
    if (parsed.success) {
      const { method, path, permission, summary } = parsed.data;
      builder.add({ method, path, permission, summary, result: toPattern(path, `/${owner.name}`) });
    } else {
      const { method, path = `[${index}]` } = unreadableRoute.parse(entry);
      builder.add({ method, path, permission: undefined, result: { reason: messages.notRoute } });
    }
  }
  return true;
}

function addApiOperations(
  api: z.output<typeof apiDocument>,
  document: unknown,
  owner: ManifestOwner,
  builder: ManifestBuilder,
): void {
  const ownPath = new URL(owner.host).pathname.replace(/\/+$/, '');
  const resolveServer = (server: z.output<typeof firstServer>): ServerLocation =>
    server ? resolveServerUrl(server, ownPath) : { path: '' };
  const documentServer = resolveServer(api.servers);
  for (const { method, path, pathItem, operation, violation } of listOperations(document, api.paths)) {
    const details = operationSchema.parse(operation);
    const servers = details.servers ?? pathItemSchema.parse(pathItem).servers;
    const server = servers ? resolveServer(servers) : documentServer;
    const reason =
      violation ?? (server.unsetVariable === undefined ? undefined : messages.serverVariable(server.unsetVariable));
    builder.add({
      method,
      path,
      permission: details['x-permission'] ?? findSingleScope(details.security ?? api.security),
      summary: details.summary,
      otherServer: server.host === documentServer.host ? undefined : server.host,
      result: reason ? { reason } : toPattern(server.path + withLeadingSlash(path), `/${owner.name}`),
    });
  }
}

/**
 * Reads the routes of a manifest in our own format, an OpenAPI 3.x or a Swagger 2.0 document (contract §3), in JSON or
 * YAML. Operations that cannot become a route are returned with the reason.
 * @throws ManifestError for any other document, and for more than 5,000 operations
 */
export function readManifest(text: string, owner: ManifestOwner): Manifest {
  const document = parseDocument(text);
  const builder = new ManifestBuilder(owner);
  const ownRoutes = findOwnRoutes(document);
  if (ownRoutes && ownRoutes.length > MAX_OPERATIONS) throw createTooManyError(ownRoutes.length);
  if (!ownRoutes || !addOwnRoutes(ownRoutes, owner, builder)) {
    const { success, data: api } = apiDocument.safeParse(document);
    if (!success) throw new ManifestError(messages.notUnderstood);
    addApiOperations(api, document, owner, builder);
  }
  return builder.manifest;
}

/** Finds the list of routes of a manifest in our own format: the document itself, or its field `routes`. */
function findOwnRoutes(document: unknown): unknown[] | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const routes = 'routes' in document ? document.routes : document;
  return Array.isArray(routes) ? routes : undefined;
}

/** Parses JSON, or YAML if the text has a `key:` and does not begin like JSON or HTML. @throws ManifestError */
function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    const looksLikeYaml = /^[^\S\n]*[\w"'-]+ *:/m.test(text) && !/^\s*[[{<]/.test(text);
    if (!looksLikeYaml) throw new ManifestError(messages.notJson);
    return parseYaml(text);
  }
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    const [start] = (error instanceof YAMLParseError && error.linePos) || [];
    throw new ManifestError(start ? messages.yamlLine(start.line) : messages.notYaml, { cause: error });
  }
}
