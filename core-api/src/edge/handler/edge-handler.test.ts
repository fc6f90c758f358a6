import { pino } from 'pino';
import type { KeyRow, RowChange } from '../../routing/config-snapshot';
import { digestSecret } from '../../routing/keys/key-table';
import { RoutingTable } from '../../routing/routing-table';
import { measureFastestRunMs } from '../../testing/cost';
import { monotonicNow } from '../engine/clock';
import { MutableExchange } from '../engine/message/exchange';
import { parseFields, unforwardedInRequests } from '../engine/message/header-fields';
import { RateLeases } from '../rate-limiting/rate-leases';
import { formatAccessLine } from '../telemetry/access-log';
import { LineWriter } from '../telemetry/line-writer';
import { RequestMetrics } from '../telemetry/metrics/worker-metrics';
import { RequestSample } from '../usage/request-sample';
import { UsageCounter } from '../usage/usage-counter';
import type { EdgeExchange } from './edge-decision';
import { EdgeHandler } from './edge-handler';
import { ProxiedRequestLimit } from './proxied-request-limit';

const KEY = 'a key';
const createKeyChange = (overrides: Partial<KeyRow> = {}): RowChange => ({
  entity: 'key',
  id: 'k',
  row: { id: 'k', digest: digestSecret(KEY), permissions: ['*'], allowedIps: [], ...overrides },
});

let table: RoutingTable;
let logLines: string;
let log: LineWriter<Parameters<typeof formatAccessLine>[0]>;
let handler: EdgeHandler;

/** Applies changes under the same revision, as after the restore of an older database. */
const apply = (...changes: RowChange[]) => table.apply({ revision: 1, isComplete: false, changes });

beforeEach(() => {
  logLines = '';
  table = new RoutingTable(
    {
      BASE_DOMAIN: 'localhost',
      SITES_DOMAIN: 'localhost',
      CORE_URL: 'http://127.0.0.1:3002',
      BFF_HOST: '127.0.0.1',
      BFF_PORT: 3001,
      OWN_PORTS: [],
    },
    () => undefined,
  );
  apply(
    { entity: 'service', id: 's', row: { id: 's', host: 'http://127.0.0.1:4000' } },
    {
      entity: 'route',
      id: 'r',
      row: { id: 'r', serviceId: 's', origin: '/*', destination: '/*', permission: 'a:read', methods: ['GET'] },
    },
    createKeyChange(),
  );
  log = new LineWriter(
    {
      maxChunkBytes: 1024,
      push: (bytes) => {
        logLines += bytes.toString();
      },
    },
    formatAccessLine,
  );
  handler = new EdgeHandler({
    ownDomains: ['localhost'],
    proxiedRequestLimit: new ProxiedRequestLimit(512),
    ownPorts: [],
    viaName: 'mark',
    isTrustedProxy: () => false,
    mayServeFile: () => false,
    contentFolder: '/nonexistent',
    basicAuth: { getCachedResult: () => undefined, verify: async () => undefined },
    routingTable: table,
    usage: new UsageCounter(),
    requestSample: new RequestSample(),
    leases: new RateLeases(() => undefined),
    metrics: new RequestMetrics(),
    spans: undefined,
    accessLog: log,
    log: pino({ level: 'silent' }),
  });
});

function createExchange(target: string, host = 'api.localhost'): MutableExchange & EdgeExchange {
  const fields = parseFields(`Host: ${host}\r\nX-API-Key: ${KEY}\r\n`, unforwardedInRequests) ?? [];
  const headers = handler.parseHeaders(fields, '203.0.113.9');
  const startedAt = monotonicNow();
  const exchange = new MutableExchange('GET', target, host, 1, fields, 0, false, '203.0.113.9', headers, startedAt, 0);
  return exchange as MutableExchange & EdgeExchange;
}

test('the authorization of a response in progress is cached until the configuration changes', () => {
  const [shortExchange, longExchange] = [createExchange('/a'), createExchange(`/${'%C3%A9/'.repeat(2_000)}`)];
  expect([handler.isStillAuthorized(shortExchange), handler.isStillAuthorized(longExchange)]).toEqual([true, true]);
  const measureAuthorizationMs = (exchange: typeof shortExchange) =>
    measureFastestRunMs(() => Array.from({ length: 1_000 }, () => handler.isStillAuthorized(exchange)));
  expect(measureAuthorizationMs(longExchange) / measureAuthorizationMs(shortExchange)).toBeLessThan(20);
  apply(createKeyChange({ disabled: true }));
  expect([handler.isStillAuthorized(shortExchange), handler.isStillAuthorized(longExchange)]).toEqual([false, false]);
});

test('a response in progress is no longer authorized when its key expires', () => {
  const exchange = createExchange('/a');
  const dateNow = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  try {
    apply(createKeyChange({ expiresAt: new Date(1_000_500).toISOString() }));
    expect(handler.isStillAuthorized(exchange)).toBe(true);
    dateNow.mockReturnValue(1_000_499);
    expect(handler.isStillAuthorized(exchange)).toBe(true);
    dateNow.mockReturnValue(1_000_500);
    expect(handler.isStillAuthorized(exchange)).toBe(false);
  } finally {
    dateNow.mockRestore();
  }
});

test('a tunnel ends when its domain is moved to another tenant of the same project', () => {
  const createTenantChange = (id: string, hosts: string[]): RowChange => ({
    entity: 'tenant',
    id,
    row: {
      id,
      projectId: 'p',
      subdomain: id,
      dbName: id,
      name: id,
      paused: false,
      domains: hosts.map((host) => ({ host, role: 'primary', to: null, wwwMode: 'serve' })),
    },
  });
  apply(
    { entity: 'project', id: 'p', row: { id: 'p', type: 'proxy', apiPort: 4100, staticPath: null } },
    createTenantChange('one', ['shop.example']),
    createTenantChange('other', []),
  );
  const exchange = createExchange('/', 'shop.example');
  const decision = exchange.parsedHeaders && handler.decide(exchange, exchange.parsedHeaders);
  if (!decision || decision instanceof Promise) throw new Error('there is no immediate decision');
  exchange.decision = decision;
  const close = jest.fn();
  const tunnel = { exchange, expiresAt: undefined, close };
  handler.authorization.reauthorize(tunnel);
  expect(close).not.toHaveBeenCalled();
  apply(createTenantChange('other', ['shop.example']), createTenantChange('one', []));
  handler.authorization.reauthorize(tunnel);
  expect(close).toHaveBeenCalled();
});

test('if a client disconnects before the decision, the log line of its request has a request id', () => {
  for (const target of ['/one', '/other']) {
    const exchange = createExchange(target);
    exchange.status = 499;
    exchange.reason = 'client_gone';
    handler.onExchangeEnded(exchange);
  }
  log.flush();
  const ids = logLines
    .trimEnd()
    .split('\n')
    .map((line): string => JSON.parse(line).requestId);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(ids[0]).not.toBe(ids[1]);
});
