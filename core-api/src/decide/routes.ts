import { compileDestination, type Destination, parsePattern, type RoutePattern } from '../rules/route-pattern';
import type { CompiledCors } from './cors';
import type { RequestPath } from './request-path';
import type { RouteRow } from './rows';
import type { Upstream } from './upstream';

/** A route, ready to be used. */
export interface CompiledRoute {
  id: string;
  permission: string;
  /** Needs no key. */
  isPublic: boolean;
  service: CompiledService;
  destination: Destination;
}

export interface CompiledService {
  id: string;
  /** Its instances. */
  upstreams: readonly Upstream[];
  /** The Host header of its requests. */
  authority: string;
  /** The service's own path, which all destinations start with. */
  pathPrefix: string;
  /** It is this installation itself. */
  own: boolean;
  /** Until its answer's first byte. */
  timeoutMs: number;
  maxBodyBytes: number;
  cors: CompiledCors | undefined;
  /** What each instance is asked for, with the service's own path; missing without an active check. */
  healthPath: string | undefined;
}

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  /** Routes that end here, by method. */
  routes: Map<string, CompiledRoute>;
  /** Routes that end here in `/*`. */
  wildcards: Map<string, CompiledRoute>;
}

export interface Match {
  routes: Map<string, CompiledRoute>;
  captured: string[];
  /** What the wildcard took, with its leading slash. */
  rest: string;
}

const emptyNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map(), wildcards: new Map() });

/** Routes by their origins' segments: static before parameter before wildcard, whatever the order of creation. */
export class Routes {
  private readonly root = emptyNode();

  /** Where each route is, to find it again when it goes. */
  private readonly origins = new Map<string, RoutePattern>();

  /** Adds a route or puts its new state in place. @throws Error for a row that cannot be used; the others stay */
  set(row: RouteRow, service: CompiledService): void {
    this.remove(row.id);
    const [origin, destination] = [parsePattern(row.origin), parsePattern(row.destination)];
    if (!origin || !destination) throw new Error(`route ${row.id}: unusable pattern`);
    const route: CompiledRoute = {
      id: row.id,
      permission: row.permission,
      isPublic: row.public ?? false,
      service,
      destination: compileDestination(destination, origin),
    };
    let node = this.root;
    for (const segment of origin.segments) {
      node = segment.kind === 'literal' ? literalChild(node, segment.text.toLowerCase()) : parameterChild(node);
    }
    const methods = origin.wildcard ? node.wildcards : node.routes;
    for (const method of row.methods) methods.set(method, route);
    this.origins.set(row.id, origin);
  }

  remove(id: string): void {
    const origin = this.origins.get(id);
    if (!origin) return;
    this.origins.delete(id);
    prune(this.root, origin, 0, id);
  }

  match(path: RequestPath): Match | undefined {
    return this.descend(this.root, path, 0, []);
  }

  private descend(node: Node, path: RequestPath, depth: number, captured: string[]): Match | undefined {
    const folded = path.folded[depth];
    if (folded === undefined) {
      if (node.routes.size > 0) return { routes: node.routes, captured, rest: '' };
    } else {
      const literal = node.literals.get(folded);
      const byLiteral = literal && this.descend(literal, path, depth + 1, captured);
      if (byLiteral) return byLiteral;
      if (node.parameter) {
        const known = captured.length;
        captured.push(path.raw[depth] ?? '');
        const byParameter = this.descend(node.parameter, path, depth + 1, captured);
        if (byParameter) return byParameter;
        captured.length = known;
      }
    }
    if (node.wildcards.size === 0) return undefined;
    const rest = path.raw
      .slice(depth)
      .map((segment) => `/${segment}`)
      .join('');
    return { routes: node.wildcards, captured, rest: path.trailingSlash ? `${rest}/` : rest };
  }
}

/** Takes a route out, and the nodes that are empty then. A method that has a new owner already stays with it. */
function prune(node: Node, origin: RoutePattern, depth: number, id: string): void {
  const segment = origin.segments[depth];
  if (!segment) {
    const methods = origin.wildcard ? node.wildcards : node.routes;
    for (const [method, route] of methods) if (route.id === id) methods.delete(method);
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

function literalChild(node: Node, literal: string): Node {
  const known = node.literals.get(literal);
  if (known) return known;
  const fresh = emptyNode();
  node.literals.set(literal, fresh);
  return fresh;
}

function parameterChild(node: Node): Node {
  node.parameter = node.parameter ?? emptyNode();
  return node.parameter;
}

/** The route for a method; HEAD is answered by a GET route that has none of its own. */
export const routeFor = (routes: Map<string, CompiledRoute>, method: string): CompiledRoute | undefined =>
  routes.get(method) ?? (method === 'HEAD' ? routes.get('GET') : undefined);

/** For `Allow`: HEAD is allowed where GET is. */
export function allowedMethods(routes: Map<string, CompiledRoute>): string {
  const methods = new Set(routes.keys());
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].join(', ');
}
