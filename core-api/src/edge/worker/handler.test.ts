import { pino } from 'pino';
import type { KeyRow, RowChange } from '../../decide/rows';
import { State } from '../../decide/state';
import { createUpstream } from '../../decide/upstream';
import { digestOf } from '../../rules/api-key';
import { costOf } from '../../testing/cost';
import { OpenExchange, steadyNow } from '../http1/exchange';
import { readFields, requestHops } from '../http1/fields';
import { accessLine } from './access-log';
import type { Decided } from './decided';
import { EdgeHandler } from './handler';
import { LineWriter } from './line-writer';
import { RequestMetrics } from './metrics';
import { RateLeases } from './rate-leases';
import type { RequestFacts } from './request-facts';
import { RequestSample } from './request-sample';
import { UsageCounter } from './usage-counter';

const KEY = 'a key';
const keyRow = (more: Partial<KeyRow> = {}): RowChange => ({
  entity: 'key',
  id: 'k',
  row: { id: 'k', digest: digestOf(KEY), permissions: ['*'], allowedIps: [], ...more },
});

let state: State;
let written: string;
let log: LineWriter<Parameters<typeof accessLine>[0]>;
let handler: EdgeHandler;

/** The revision stays, as where an older database was restored. */
const apply = (...changes: RowChange[]) => state.apply({ revision: 1, whole: false, changes });

beforeEach(() => {
  written = '';
  state = new State({
    baseDomain: 'localhost',
    core: createUpstream('127.0.0.1', 3002, false),
    bff: createUpstream('127.0.0.1', 3001, false),
    isOwn: () => false,
    onUnusable: () => undefined,
  });
  apply(
    { entity: 'service', id: 's', row: { id: 's', host: 'http://127.0.0.1:4000' } },
    {
      entity: 'route',
      id: 'r',
      row: { id: 'r', serviceId: 's', origin: '/*', destination: '/*', permission: 'a:read', methods: ['GET'] },
    },
    keyRow(),
  );
  log = new LineWriter(
    {
      pieceBytes: 1024,
      push: (bytes) => {
        written += bytes.toString();
      },
    },
    accessLine,
  );
  handler = new EdgeHandler({
    baseDomain: 'localhost',
    ownPorts: [],
    mark: 'mark',
    isTrusted: () => false,
    mayServe: () => false,
    state,
    usage: new UsageCounter(),
    requests: new RequestSample(),
    leases: new RateLeases(() => undefined),
    metrics: new RequestMetrics(),
    spans: undefined,
    accessLog: log,
    log: pino({ level: 'silent' }),
  });
});

function asked(target: string, host = 'api.localhost'): OpenExchange<RequestFacts, Decided> {
  const fields = readFields(`Host: ${host}\r\nX-API-Key: ${KEY}\r\n`, requestHops) ?? [];
  const facts = handler.read(fields, '203.0.113.9');
  const at = steadyNow();
  return new OpenExchange<RequestFacts, Decided>('GET', target, host, 1, fields, 0, false, '203.0.113.9', facts, at, 0);
}

test('an answer under way is judged when something has changed, and not each time', () => {
  const [short, long] = [asked('/a'), asked(`/${'%C3%A9/'.repeat(2_000)}`)];
  expect([handler.mayGoOn(short), handler.mayGoOn(long)]).toEqual([true, true]);
  const often = (exchange: typeof short) =>
    costOf(() => Array.from({ length: 1_000 }, () => handler.mayGoOn(exchange)));
  expect(often(long) / often(short)).toBeLessThan(20);
  apply(keyRow({ disabled: true }));
  expect([handler.mayGoOn(short), handler.mayGoOn(long)]).toEqual([false, false]);
});

test('it ends when its key does', () => {
  const exchange = asked('/a');
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  try {
    apply(keyRow({ expiresAt: new Date(1_000_500).toISOString() }));
    expect(handler.mayGoOn(exchange)).toBe(true);
    now.mockReturnValue(1_000_499);
    expect(handler.mayGoOn(exchange)).toBe(true);
    now.mockReturnValue(1_000_500);
    expect(handler.mayGoOn(exchange)).toBe(false);
  } finally {
    now.mockRestore();
  }
});

test('a tunnel ends when its domain has passed to another tenant, though at the same project', () => {
  const tenant = (id: string, customDomain: string | null): RowChange => ({
    entity: 'tenant',
    id,
    row: { id, projectId: 'p', subdomain: id, dbName: id, customDomain, wwwMode: 'serve', name: id, paused: false },
  });
  apply(
    { entity: 'project', id: 'p', row: { id: 'p', type: 'proxy', apiPort: 4100, staticPath: null } },
    tenant('one', 'shop.example'),
    tenant('other', null),
  );
  const exchange = asked('/', 'shop.example');
  const decision = exchange.context && handler.decide(exchange, exchange.context);
  if (!decision || decision instanceof Promise) throw new Error('it is decided at once');
  exchange.decision = decision;
  const ended = jest.fn();
  const tunnel = { exchange, endsAt: undefined, end: ended };
  handler.judgeAnew(tunnel);
  expect(ended).not.toHaveBeenCalled();
  apply(tenant('other', 'shop.example'), tenant('one', null));
  handler.judgeAnew(tunnel);
  expect(ended).toHaveBeenCalled();
});

test('who leaves while it is decided has a line with an id of its own', () => {
  for (const target of ['/one', '/other']) {
    const exchange = asked(target);
    exchange.status = 499;
    exchange.reason = 'client_gone';
    handler.ended(exchange);
  }
  log.flush();
  const ids = written
    .trimEnd()
    .split('\n')
    .map((line): string => JSON.parse(line).requestId);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(ids[0]).not.toBe(ids[1]);
});
