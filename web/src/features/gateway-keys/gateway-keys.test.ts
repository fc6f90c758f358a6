import { formatAllowedIps, parseAllowedIps } from './allowedIps';
import { permissionGroups } from './permissionGroups';
import { mostUsedKey, totalUsage } from './usage';

const route = (name: string, permission: string) => ({ permission, service: { name } });

describe('permissionGroups', () => {
  it('lists the distinct permissions of each service after the general group', () => {
    const groups = permissionGroups([
      route('vendas', 'pedidos:ler'),
      route('estoque', 'itens:ler'),
      route('vendas', 'pedidos:criar'),
      route('vendas', 'pedidos:ler'),
    ]);
    expect(groups).toEqual([
      { name: 'Geral', permissions: ['*'] },
      { name: 'estoque', permissions: ['itens:ler'] },
      { name: 'vendas', permissions: ['pedidos:criar', 'pedidos:ler'] },
    ]);
  });

  it('keeps permissions of the key that no route asks for', () => {
    expect(permissionGroups([route('vendas', 'pedidos:ler')], ['pedidos:*', 'pedidos:ler', '*'])[0]).toEqual({
      name: 'Geral',
      permissions: ['*', 'pedidos:*'],
    });
  });
});

describe('allowed addresses', () => {
  it('trims the entries and drops empty ones', () => {
    expect(parseAllowedIps(' 203.0.113.1 ,, 10.0.0.0/8,\n')).toEqual(['203.0.113.1', '10.0.0.0/8']);
    expect(parseAllowedIps('  ')).toEqual([]);
  });

  it('shows them as they are entered', () => {
    expect(parseAllowedIps(formatAllowedIps(['::1', '10.0.0.1']))).toEqual(['::1', '10.0.0.1']);
  });
});

describe('usage of all keys', () => {
  const keys = [
    { name: 'a', usageCount: 2 },
    { name: 'b', usageCount: 7 },
    { name: 'c', usageCount: 7 },
  ];

  it('sums the requests and names the first of the busiest', () => {
    expect(totalUsage(keys)).toBe(16);
    expect(mostUsedKey(keys)?.name).toBe('b');
  });

  it('names none while nothing was used', () => {
    expect(mostUsedKey([{ name: 'a', usageCount: 0 }])).toBeUndefined();
    expect(mostUsedKey([])).toBeUndefined();
  });
});
