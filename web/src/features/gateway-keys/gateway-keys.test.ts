import { findMostUsedKey, sumUsage } from '../../lib/gateway/useKeyUsage';
import { findRefusedFields } from '../../testing/refusedFields';
import { formatExampleCall } from './exampleCall';
import { formatAllowedIps, parseAllowedIps } from './form/allowedIps';
import { keySchema, toKeyInput, toKeyValues } from './form/keyForm';
import { describeStatus, getKeyStatus } from './list/keyStatus';
import { createPermissionGroups, createPermissionSets, mapServicesByPermission } from './permissions/permissionGroups';

const createServiceRoute = (name: string, permission: string) => ({ permission, service: { name } });

describe('the permission picker', () => {
  test('lists each permission of a service once, after the general group', () => {
    const groups = createPermissionGroups([
      createServiceRoute('vendas', 'pedidos:ler'),
      createServiceRoute('estoque', 'itens:ler'),
      createServiceRoute('vendas', 'pedidos:criar'),
      createServiceRoute('vendas', 'pedidos:ler'),
    ]);
    expect(groups).toEqual([
      { kind: 'general', name: 'Geral', permissions: ['*'] },
      { kind: 'service', name: 'estoque', permissions: ['itens:ler'] },
      { kind: 'service', name: 'vendas', permissions: ['pedidos:criar', 'pedidos:ler'] },
    ]);
  });

  test('lists a permission of several services once, in the shared group, and ignores public routes', () => {
    const routes = [
      createServiceRoute('vendas', 'itens:ler'),
      createServiceRoute('estoque', 'itens:ler'),
      createServiceRoute('estoque', ''),
    ];
    expect(createPermissionGroups(routes)).toEqual([
      { kind: 'general', name: 'Geral', permissions: ['*'] },
      { kind: 'shared', name: 'Em vários serviços', permissions: ['itens:ler'] },
    ]);
    expect(mapServicesByPermission(routes).get('itens:ler')).toEqual(['vendas', 'estoque']);
  });

  test('groups permissions that the same services require, whatever the order of the routes', () => {
    const routes = [
      createServiceRoute('vendas', 'itens:ler'),
      createServiceRoute('estoque', 'itens:ler'),
      createServiceRoute('estoque', 'lotes:ler'),
      createServiceRoute('vendas', 'lotes:ler'),
      createServiceRoute('estoque', 'notas:ler'),
      createServiceRoute('fiscal', 'notas:ler'),
    ];
    expect(createPermissionSets(['itens:ler', 'lotes:ler', 'notas:ler'], mapServicesByPermission(routes))).toEqual([
      { services: 'estoque, vendas', permissions: ['itens:ler', 'lotes:ler'] },
      { services: 'estoque, fiscal', permissions: ['notas:ler'] },
    ]);
  });

  test('keeps a permission of the key that no route requires', () => {
    const routes = [createServiceRoute('vendas', 'pedidos:ler')];
    const [generalGroup] = createPermissionGroups(routes, ['pedidos:*', 'pedidos:ler', '*']);
    expect(generalGroup).toEqual({ kind: 'general', name: 'Geral', permissions: ['*', 'pedidos:*'] });
  });
});

describe('the status of a key', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const key = { disabled: false, expiresAt: null, previousExpiresAt: null };

  test('is the first that applies: disabled, expired, rotating (the previous secret is valid), active', () => {
    const expiredKey = { ...key, expiresAt: '2026-11-20T12:00:00Z', previousExpiresAt: '2026-11-21T12:00:00Z' };
    expect(getKeyStatus(key, now)).toBe('active');
    expect(getKeyStatus(expiredKey, now)).toBe('expired');
    expect(getKeyStatus({ ...expiredKey, disabled: true }, now)).toBe('disabled');
    expect(getKeyStatus({ ...key, previousExpiresAt: '2026-11-21T12:00:00Z' }, now)).toBe('rotating');
    expect(getKeyStatus({ ...key, previousExpiresAt: '2026-11-19T12:00:00Z' }, now)).toBe('active');
  });

  test('shows the days until the expiry of a key that expires soon', () => {
    expect(describeStatus({ ...key, expiresAt: '2026-11-23T13:00:00Z' }, now)).toBe('Expira em 3 dias');
    expect(describeStatus({ ...key, expiresAt: '2027-11-23T13:00:00Z' }, now)).toBe('Ativa');
  });
});

describe('the example call of a new key', () => {
  const createRoute = (origin: string, permission: string, methods = ['GET']) => ({
    origin,
    permission,
    methods,
    public: false,
  });
  const createKey = (...permissions: string[]) => ({ key: 'sk7_x', permissions });

  test('uses a route that the key may call, and prefers GET', () => {
    const routes = [
      createRoute('/vendas/pedidos', 'pedidos:criar', ['POST']),
      createRoute('/vendas/pedidos/:id', 'pedidos:ler'),
      { ...createRoute('/vendas/aberto', ''), public: true },
    ];
    expect(formatExampleCall(createKey('pedidos:*'), routes)).toBe(
      "curl 'http://api.localhost/vendas/pedidos/1' \\\n  -H 'X-API-Key: sk7_x'",
    );
    expect(formatExampleCall(createKey('pedidos:criar'), routes)).toBe(
      "curl -X POST 'http://api.localhost/vendas/pedidos' \\\n  -H 'X-API-Key: sk7_x'",
    );
    expect(formatExampleCall(createKey('pedidos:cria'), routes)).toBeUndefined();
  });

  test('asks for the head alone if the route has only HEAD', () => {
    const route = { ...createRoute('/vendas/pedidos', 'pedidos:ler'), methods: ['HEAD'] };
    expect(formatExampleCall(createKey('*'), [route])).toContain("curl -I 'http://api.localhost/vendas/pedidos'");
  });

  test('encodes characters that the shell would interpret', () => {
    expect(formatExampleCall(createKey('*'), [createRoute("/vendas/d'água/*", 'a:b')])).toContain(
      "'http://api.localhost/vendas/d%27%C3%A1gua/1'",
    );
  });
});

describe('the form of a key', () => {
  const key = { ...toKeyValues(), name: 'Loja', permissions: ['*'] };

  test('sends the stored values if nothing was changed', () => {
    const expiresAt = '2027-01-15T12:30:15.250Z';
    const savedKey = {
      _id: '1',
      name: 'Loja',
      note: 'de teste',
      permissions: ['*'],
      allowedIps: ['10.0.0.0/8'],
      disabled: true,
      expiresAt,
      rateLimit: { requests: 100, seconds: 90 },
      prefix: null,
      previousExpiresAt: null,
      lastUsedAt: null,
      usageCount: 0,
      createdAt: expiresAt,
      version: 1,
    };
    const { name, note, permissions, allowedIps, disabled, rateLimit } = savedKey;
    const input = { name, note, permissions, allowedIps, disabled, rateLimit, expiresAt };
    expect(toKeyInput(toKeyValues(savedKey))).toEqual(input);
  });

  test('sends null for an empty expiry and for an empty limit', () => {
    expect(toKeyInput(key)).toMatchObject({ expiresAt: null, rateLimit: null });
  });

  test('refuses a limit that is no whole number from 1 to 1,000,000', () => {
    expect(findRefusedFields(keySchema, { ...key, rateLimit: '100' })).toEqual([]);
    for (const rateLimit of ['0', '1.5', '1000001'])
      expect(findRefusedFields(keySchema, { ...key, rateLimit })).toEqual(['rateLimit']);
  });
});

describe('the field of allowed addresses', () => {
  test('trims the addresses, and drops empty entries', () => {
    expect(parseAllowedIps(' 203.0.113.1 ,, 10.0.0.0/8,\n')).toEqual(['203.0.113.1', '10.0.0.0/8']);
    expect(parseAllowedIps('  ')).toEqual([]);
  });

  test('has the same addresses after they are formatted and parsed', () => {
    expect(parseAllowedIps(formatAllowedIps(['::1', '10.0.0.1']))).toEqual(['::1', '10.0.0.1']);
  });
});

describe('the usage summary', () => {
  const keys = [
    { name: 'a', usageCount: 2 },
    { name: 'b', usageCount: 7 },
    { name: 'c', usageCount: 7 },
  ];

  test('sums up the requests, and names the first of two equally used keys', () => {
    expect(sumUsage(keys)).toBe(16);
    expect(findMostUsedKey(keys)?.name).toBe('b');
  });

  test('names no key before the first request', () => {
    expect(findMostUsedKey([{ name: 'a', usageCount: 0 }])).toBeUndefined();
    expect(findMostUsedKey([])).toBeUndefined();
  });
});
