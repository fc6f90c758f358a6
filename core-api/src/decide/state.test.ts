import { inspect } from 'node:util';
import { Rows } from '../edge/primary/rows';
import { readPath } from './request-path';
import { allowedMethods, routeFor } from './routes';
import type { RouteRow, RowChange } from './rows';
import { State } from './state';
import { createUpstream } from './upstream';

let state: State;
let revision = 0;
let complaints: string[];
const newState = () =>
  new State({
    baseDomain: 'localhost',
    core: createUpstream('127.0.0.1', 3002, false),
    bff: createUpstream('127.0.0.1', 3001, false),
    isOwn: ({ port }) => port === 3000,
    onUnusable: ({ id }) => complaints.push(id),
  });
/** @param host a label, or a custom domain */
const siteAt = (host: string) => {
  const found = state.destination(host.includes('.') ? host : `${host}.localhost`);
  return found.kind === 'site' ? found.site : undefined;
};
const apply = (changes: RowChange[], whole = false) => {
  revision += 1;
  state.apply({ revision, whole, changes });
};
const service = (id: string, host = 'http://127.0.0.1:4000'): RowChange => ({
  entity: 'service',
  id,
  row: { id, host },
});
const route = (id: string, origin: string, given: Partial<RouteRow> = {}): RowChange => ({
  entity: 'route',
  id,
  row: { id, serviceId: 's', origin, destination: '/', permission: 'a:read', methods: ['GET'], ...given },
});
const gone = (entity: 'route' | 'service' | 'subdomain' | 'tenant' | 'key', id: string): RowChange => ({
  entity,
  id,
  row: null,
});
const matched = (path: string, method = 'GET') => {
  const read = readPath(path);
  const match = read && state.routes.match(read);
  return match && routeFor(match.routes, method)?.id;
};

beforeEach(() => {
  complaints = [];
  state = newState();
  apply([service('s')], true);
});

test('static before parameter before wildcard, in every order of creation', () => {
  const routes = [route('wild', '/a/*'), route('param', '/a/:x'), route('static', '/a/b'), route('deep', '/a/:x/c')];
  for (const order of [routes, routes.toReversed(), [...routes.slice(2), ...routes.slice(0, 2)]]) {
    apply([service('s'), ...order], true);
    expect(['/a/b', '/a/other', '/a/b/c', '/a/b/d', '/a'].map((path) => matched(path))).toEqual([
      'static',
      'param',
      'deep',
      'wild',
      'wild',
    ]);
  }
});

test('a route that changes or goes leaves nothing behind, and a swap of two origins keeps both', () => {
  apply([route('1', '/x/:a/y'), route('2', '/z')]);
  apply([route('1', '/z'), route('2', '/x/:b/y')]);
  expect([matched('/x/1/y'), matched('/z')]).toEqual(['2', '1']);
  apply([gone('route', '1')]);
  expect([matched('/x/1/y'), matched('/z')]).toEqual(['2', undefined]);
  apply([gone('route', '2')]);
  expect(matched('/x/1/y')).toBeUndefined();
  expect(state.routes).toEqual(newState().routes);
});

test('methods of one origin belong to their routes', () => {
  apply([route('get', '/m'), route('post', '/m', { methods: ['POST', 'DELETE'] })]);
  expect([matched('/m'), matched('/m', 'HEAD'), matched('/m', 'DELETE'), matched('/m', 'PUT')]).toEqual([
    'get',
    'get',
    'post',
    undefined,
  ]);
  const path = readPath('/m');
  const found = path && state.routes.match(path);
  expect(found && allowedMethods(found.routes)).toBe('GET, POST, DELETE, HEAD');
  apply([route('post', '/m', { methods: ['POST'] })]);
  expect(matched('/m', 'DELETE')).toBeUndefined();
});

test('a service that moves takes its routes along; one that goes takes them away', () => {
  apply([route('1', '/x')]);
  apply([service('s', 'http://127.0.0.1:4001/v1')]);
  const path = readPath('/x');
  const found = path && state.routes.match(path)?.routes.get('GET');
  expect([found?.service.upstreams[0]?.port, found?.service.pathPrefix]).toEqual([4001, '/v1']);
  apply([gone('service', 's')]);
  expect(matched('/x')).toBeUndefined();
});

test('a deleted service leaves nothing in a worker and nothing in the primary', () => {
  const rows = new Rows();
  const both = (changes: RowChange[]) => {
    apply(changes);
    rows.apply({ revision, whole: false, changes });
  };
  both([service('brief'), ...['/a', '/b/:c', '/d/*'].map((at) => route(`brief ${at}`, at, { serviceId: 'brief' }))]);
  const held = () => inspect([state, rows], { depth: Number.POSITIVE_INFINITY, maxArrayLength: null });
  expect(held()).toContain("'brief /b/:c'");
  both([gone('service', 'brief')]);
  expect(held()).not.toContain('brief');
});

test('a row that cannot be used is logged and harms no other (82)', () => {
  apply([
    route('bad', 'no slash'),
    route('good', '/good'),
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
  expect(matched('/good')).toBe('good');
  expect(siteAt('broken')?.kind).toBe('broken');
  expect(complaints).toHaveLength(2);
});

test('a tenant answers by label, domain and www; its project decides how; a host may pass to another in one step', () => {
  const tenant = (id: string, subdomain: string, customDomain: string | null): RowChange => ({
    entity: 'tenant',
    id,
    row: {
      id,
      projectId: 'p',
      subdomain,
      dbName: 'padaria_do_zé',
      customDomain,
      wwwMode: 'serve',
      name: subdomain,
      paused: false,
    },
  });
  const project = (apiPort: number): RowChange => ({
    entity: 'project',
    id: 'p',
    row: { id: 'p', type: 'proxy', apiPort, staticPath: null },
  });
  apply([project(4100), tenant('t', 'ze', 'padaria.example')]);
  for (const host of ['ze', 'padaria.example', 'www.padaria.example']) {
    expect(siteAt(host)).toMatchObject({
      kind: 'proxy',
      upstream: { port: 4100 },
      tenant: { id: 't', subdomain: 'ze', database: 'padaria_do_z%C3%A9' },
    });
  }
  apply([project(4200)]);
  expect(siteAt('ze')).toMatchObject({ upstream: { port: 4200 } });
  apply([tenant('u', 'outra', 'padaria.example'), tenant('t', 'ze', null)]);
  expect([siteAt('padaria.example')?.tenant?.id, siteAt('ze')?.tenant?.id]).toEqual(['u', 't']);
  apply([gone('tenant', 'u')]);
  expect([siteAt('padaria.example'), siteAt('www.padaria.example'), siteAt('ze')?.tenant?.id]).toEqual([
    undefined,
    undefined,
    't',
  ]);
});

test('a whole state replaces what was there', () => {
  apply([route('old', '/old')]);
  apply([service('s'), route('new', '/new')], true);
  expect([matched('/old'), matched('/new')]).toEqual([undefined, 'new']);
});
