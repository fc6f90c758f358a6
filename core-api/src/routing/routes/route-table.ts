import type { RouteRow } from '../config-snapshot';
import type { Upstream } from '../upstream';
import type { CompiledCors } from './cors';
import type { RequestPath } from './request-path';
import { compileDestination, type DestinationTemplate, parsePattern, type RoutePattern } from './route-pattern';

export interface CompiledRoute {
  id: string;
  permission: string;
  /** True if the route requires no key. */
  isPublic: boolean;
  service: CompiledService;
  fillDestination: DestinationTemplate;
}

export interface CompiledService {
  id: string;
  /** Instances of the service. */
  upstreams: readonly Upstream[];
  /** Host header of forwarded requests. */
  authority: string;
  /** Path of the service's URL, which precedes every destination. */
  pathPrefix: string;
  /** True if an instance of the service is this installation itself. */
  isOwn: boolean;
  /** Time limit for the first byte of the response, ms. */
  timeoutMs: number;
  maxBodyBytes: number;
  cors: CompiledCors | undefined;
  /** Full path of the active health check; undefined without one. */
  healthPath: string | undefined;
}

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  /** Routes whose origin ends at this node, by method. */
  routes: Map<string, CompiledRoute>;
  /** Routes whose origin ends at this node with `/*`, by method. */
  wildcards: Map<string, CompiledRoute>;
}

export interface RouteMatch {
  routes: Map<string, CompiledRoute>;
  /** Values of the parameters, as received. */
  captured: string[];
  /** The part of the path that the wildcard matched, with its leading slash. */
  rest: string;
}

const createNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map(), wildcards: new Map() });

/**
 * Trie of the origins' segments. Literals take precedence over parameters, and parameters over wildcards, whatever the
 * order of creation was.
 */
export class RouteTable {
  private readonly root = createNode();
  /** Origin of each route, by route id. `remove` finds the route's node by its origin. */
  private readonly origins = new Map<string, RoutePattern>();

  /** Adds or replaces a route. @throws Error for a row with an unusable pattern */
  set(row: RouteRow, service: CompiledService): void {
    this.remove(row.id);
    const [origin, destination] = [parsePattern(row.origin), parsePattern(row.destination)];
    if (!origin || !destination) throw new Error(`route ${row.id}: unusable pattern`);
    const route: CompiledRoute = {
      id: row.id,
      permission: row.permission,
      isPublic: row.public ?? false,
      service,
      fillDestination: compileDestination(destination, origin),
    };
    let node = this.root;
    for (const segment of origin.segments) {
      node = segment.kind === 'literal' ? getLiteralChild(node, segment.text.toLowerCase()) : getParameterChild(node);
    }
    const routesByMethod = origin.hasWildcard ? node.wildcards : node.routes;
    for (const method of row.methods) routesByMethod.set(method, route);
    this.origins.set(row.id, origin);
  }

  remove(id: string): void {
    const origin = this.origins.get(id);
    if (!origin) return;
    this.origins.delete(id);
    prune(this.root, origin, 0, id);
  }

  match(path: RequestPath): RouteMatch | undefined {
    return this.descend(this.root, path, 0, []);
  }

  private descend(node: Node, path: RequestPath, depth: number, captured: string[]): RouteMatch | undefined {
    const folded = path.folded[depth];
    if (folded === undefined) {
      if (node.routes.size > 0) return { routes: node.routes, captured, rest: '' };
    } else {
      const literal = node.literals.get(folded);
      const literalMatch = literal && this.descend(literal, path, depth + 1, captured);
      if (literalMatch) return literalMatch;
      if (node.parameter) {
        const capturedCount = captured.length;
        captured.push(path.raw[depth] ?? '');
        const parameterMatch = this.descend(node.parameter, path, depth + 1, captured);
        if (parameterMatch) return parameterMatch;
        captured.length = capturedCount;
      }
    }
    if (node.wildcards.size === 0) return undefined;
    const rest = path.raw
      .slice(depth)
      .map((segment) => `/${segment}`)
      .join('');
    return { routes: node.wildcards, captured, rest: path.hasTrailingSlash ? `${rest}/` : rest };
  }
}

/** Removes a route and the nodes that become empty. A method that already belongs to another route stays. */
function prune(node: Node, origin: RoutePattern, depth: number, id: string): void {
  const segment = origin.segments[depth];
  if (!segment) {
    const routesByMethod = origin.hasWildcard ? node.wildcards : node.routes;
    for (const [method, route] of routesByMethod) if (route.id === id) routesByMethod.delete(method);
    return;
  }
  const name = segment.kind === 'literal' ? segment.text.toLowerCase() : undefined;
  const child = name === undefined ? node.parameter : node.literals.get(name);
  if (!child) return;
  prune(child, origin, depth + 1, id);
  if (child.literals.size + child.routes.size + child.wildcards.size > 0 || child.parameter) return;
  if (name === undefined) node.parameter = undefined;
  else node.literals.delete(name);
}

function getLiteralChild(node: Node, literal: string): Node {
  const existing = node.literals.get(literal);
  if (existing) return existing;
  const child = createNode();
  node.literals.set(literal, child);
  return child;
}

function getParameterChild(node: Node): Node {
  node.parameter = node.parameter ?? createNode();
  return node.parameter;
}

/** Finds the route for a method. HEAD falls back to the route of GET. */
export const findRoute = (routes: Map<string, CompiledRoute>, method: string): CompiledRoute | undefined =>
  routes.get(method) ?? (method === 'HEAD' ? routes.get('GET') : undefined);

/** Returns the value of the `Allow` header. HEAD is allowed if GET is allowed. */
export function listAllowedMethods(routes: Map<string, CompiledRoute>): string {
  const methods = new Set(routes.keys());
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].join(', ');
}
