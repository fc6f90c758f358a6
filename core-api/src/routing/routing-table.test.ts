import { inspect } from 'node:util';
import { ConfigIndex } from '../edge/config-sync/config-index';
import type { RouteRow, RowChange } from './config-snapshot';
import { parseRequestPath } from './routes/request-path';
import { findRoute, listAllowedMethods } from './routes/route-table';
import { RoutingTable } from './routing-table';

let table: RoutingTable;
let revision = 0;
let invalidRows: string[];
const createTable = () =>
  new RoutingTable(
    {
      BASE_DOMAIN: 'localhost',
      SITES_DOMAIN: 'localhost',
      CORE_URL: 'http://127.0.0.1:3002',
      BFF_HOST: '127.0.0.1',
      BFF_PORT: 3001,
      OWN_PORTS: [3000],
    },
    ({ id }) => invalidRows.push(id),
  );
/** @param host a label, or a custom domain */
const findSite = (host: string) => {
  const hostRoute = table.resolveHost(host.includes('.') ? host : `${host}.localhost`);
  return hostRoute.kind === 'site' ? hostRoute.site : undefined;
};
const apply = (changes: RowChange[], isComplete = false) => {
  revision += 1;
  table.apply({ revision, isComplete, changes });
};
const createService = (id: string, host = 'http://127.0.0.1:4000'): RowChange => ({
  entity: 'service',
  id,
  row: { id, host },
});
const createRoute = (id: string, origin: string, overrides: Partial<RouteRow> = {}): RowChange => ({
  entity: 'route',
  id,
  row: { id, serviceId: 's', origin, destination: '/', permission: 'a:read', methods: ['GET'], ...overrides },
});
const createRemoval = (entity: 'route' | 'service' | 'subdomain' | 'tenant' | 'key', id: string): RowChange => ({
  entity,
  id,
  row: null,
});
const matchRoute = (path: string, method = 'GET') => {
  const requestPath = parseRequestPath(path);
  const match = requestPath && table.config.routes.match(requestPath);
  return match && findRoute(match.routes, method)?.id;
};

beforeEach(() => {
  invalidRows = [];
  table = createTable();
  apply([createService('s')], true);
});

test('literals take precedence over parameters and wildcards, whatever the order of their creation', () => {
  const routes = [
    createRoute('wild', '/a/*'),
    createRoute('param', '/a/:x'),
    createRoute('static', '/a/b'),
    createRoute('deep', '/a/:x/c'),
  ];
  for (const order of [routes, routes.toReversed(), [...routes.slice(2), ...routes.slice(0, 2)]]) {
    apply([createService('s'), ...order], true);
    expect(['/a/b', '/a/other', '/a/b/c', '/a/b/d', '/a'].map((path) => matchRoute(path))).toEqual([
      'static',
      'param',
      'deep',
      'wild',
      'wild',
    ]);
  }
});

test('a changed or removed route no longer matches its old origin, even if two routes swap their origins', () => {
  apply([createRoute('1', '/x/:a/y'), createRoute('2', '/z')]);
  apply([createRoute('1', '/z'), createRoute('2', '/x/:b/y')]);
  expect([matchRoute('/x/1/y'), matchRoute('/z')]).toEqual(['2', '1']);
  apply([createRemoval('route', '1')]);
  expect([matchRoute('/x/1/y'), matchRoute('/z')]).toEqual(['2', undefined]);
  apply([createRemoval('route', '2')]);
  expect(matchRoute('/x/1/y')).toBeUndefined();
  expect(table.config.routes).toEqual(createTable().config.routes);
});

test('routes with the same origin and different methods are independent', () => {
  apply([createRoute('get', '/m'), createRoute('post', '/m', { methods: ['POST', 'DELETE'] })]);
  expect([matchRoute('/m'), matchRoute('/m', 'HEAD'), matchRoute('/m', 'DELETE'), matchRoute('/m', 'PUT')]).toEqual([
    'get',
    'get',
    'post',
    undefined,
  ]);
  const path = parseRequestPath('/m');
  const match = path && table.config.routes.match(path);
  expect(match && listAllowedMethods(match.routes)).toBe('GET, POST, DELETE, HEAD');
  apply([createRoute('post', '/m', { methods: ['POST'] })]);
  expect(matchRoute('/m', 'DELETE')).toBeUndefined();
});

test('a changed service keeps its routes, and a removed service loses them', () => {
  apply([createRoute('1', '/x')]);
  apply([createService('s', 'http://127.0.0.1:4001/v1')]);
  const path = parseRequestPath('/x');
  const matchedRoute = path && table.config.routes.match(path)?.routes.get('GET');
  expect([matchedRoute?.service.upstreams[0]?.port, matchedRoute?.service.pathPrefix]).toEqual([4001, '/v1']);
  apply([createRemoval('service', 's')]);
  expect(matchRoute('/x')).toBeUndefined();
});

test('a deleted service leaves no routes in a worker or in the primary', () => {
  const index = new ConfigIndex();
  const applyToBoth = (changes: RowChange[]) => {
    apply(changes);
    index.apply(changes);
  };
  applyToBoth([
    createService('brief'),
    ...['/a', '/b/:c', '/d/*'].map((origin) => createRoute(`brief ${origin}`, origin, { serviceId: 'brief' })),
  ]);
  const inspectBoth = () => inspect([table, index], { depth: Number.POSITIVE_INFINITY, maxArrayLength: null });
  expect(inspectBoth()).toContain("'brief /b/:c'");
  applyToBoth([createRemoval('service', 'brief')]);
  expect(inspectBoth()).not.toContain('brief');
});

test('an unusable row is reported and does not affect other rows', () => {
  apply([
    createRoute('bad', 'no slash'),
    createRoute('good', '/good'),
    {
      entity: 'subdomain',
      id: 'broken',
      row: {
        id: 'broken',
        subdomain: 'broken',
        type: 'proxy',
        port: null,
        staticPath: null,
        apiPort: null,
        targetHost: null,
        targetPort: null,
        paused: false,
      },
    },
  ]);
  expect(matchRoute('/good')).toBe('good');
  expect(findSite('broken')?.kind).toBe('broken');
  expect(invalidRows).toHaveLength(2);
});

test('label, domain and www host of a tenant lead to its project, and one update may move a host to another tenant', () => {
  const createTenant = (id: string, subdomain: string, domain?: string): RowChange => ({
    entity: 'tenant',
    id,
    row: {
      id,
      projectId: 'p',
      subdomain,
      dbName: 'padaria_do_zé',
      domains: domain ? [{ host: domain, role: 'primary', to: null, wwwMode: 'serve' }] : [],
      name: subdomain,
      paused: false,
    },
  });
  const createProject = (apiPort: number): RowChange => ({
    entity: 'project',
    id: 'p',
    row: { id: 'p', type: 'proxy', apiPort, staticPath: null },
  });
  apply([createProject(4100), createTenant('t', 'ze', 'padaria.example')]);
  for (const host of ['ze', 'padaria.example', 'www.padaria.example']) {
    expect(findSite(host)).toMatchObject({
      kind: 'proxy',
      upstream: { port: 4100 },
      tenant: { id: 't', subdomain: 'ze', database: 'padaria_do_z%C3%A9' },
    });
  }
  apply([createProject(4200)]);
  expect(findSite('ze')).toMatchObject({ upstream: { port: 4200 } });
  apply([createTenant('u', 'outra', 'padaria.example'), createTenant('t', 'ze')]);
  expect([findSite('padaria.example')?.tenant?.id, findSite('ze')?.tenant?.id]).toEqual(['u', 't']);
  apply([createRemoval('tenant', 'u')]);
  expect([findSite('padaria.example'), findSite('www.padaria.example'), findSite('ze')?.tenant?.id]).toEqual([
    undefined,
    undefined,
    't',
  ]);
});

test('the domain of a tenant is read from `customDomain` in snapshots of earlier builds', () => {
  const row = { id: 't', projectId: 'p', subdomain: 'ze', dbName: 'ze', name: 'Zé', paused: false };
  apply([
    { entity: 'project', id: 'p', row: { id: 'p', type: 'proxy', apiPort: 4100, staticPath: null } },
    { entity: 'tenant', id: 't', row: { ...row, customDomain: 'padaria.example', wwwMode: 'to-apex' } },
  ]);
  expect([findSite('padaria.example')?.kind, findSite('www.padaria.example')?.kind]).toEqual(['proxy', 'redirect']);
});

test('a complete update replaces all rows', () => {
  apply([createRoute('old', '/old')]);
  apply([createService('s'), createRoute('new', '/new')], true);
  expect([matchRoute('/old'), matchRoute('/new')]).toEqual([undefined, 'new']);
});
