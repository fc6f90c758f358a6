import { settingsMessages } from '../settings/settings.messages';
import { findMatches, listCommands, listSubdomainCommands } from './commands';

const entities = {
  tenants: [
    { _id: '1', name: 'Padaria do Zé', subdomain: 'padaria' },
    { _id: '2', name: 'A Padaria', subdomain: 'outra' },
  ],
  projects: [{ _id: '3', name: 'CRM' }],
  gatewayServices: [],
  apiKeys: [{ _id: '4', name: 'Parceiro', prefix: 'sk7_abcdefgh' }],
};
const ALL_RIGHTS = { isLimited: false, canWrite: true, isAdministrator: true };
const commands = listCommands(entities, ALL_RIGHTS);
const listLabels = (rights: typeof ALL_RIGHTS) => listCommands(undefined, rights).map(({ label }) => label);
const findFirstPath = (query: string) => findMatches(commands, query)[0]?.to;

test('the palette ignores case and accents, and lists names that start with the query before other matches', () => {
  expect(findMatches(commands, 'PADARIA').map(({ label }) => label)).toEqual(['Padaria do Zé', 'A Padaria']);
  expect(findFirstPath('metricas')).toBe('/gateway/metrics');
});

test('a tenant or a subdomain opens its page, and a key opens the list of keys with a search for its name', () => {
  expect(findFirstPath('padaria do')).toBe('/tenants/1');
  expect(findFirstPath('sk7_abc')).toBe('/gateway/keys?q=Parceiro');
  const data = { subdomains: { subdomains: [{ subdomain: 'loja', description: 'A loja' }] } };
  expect(listSubdomainCommands(data)[0]?.to).toBe('/admin/subdomains/loja');
});

test('before a query is typed, the palette lists the screens', () => {
  expect(findMatches(commands, '').map(({ kind }) => kind)).toContain('screen');
});

test('the palette finds tabs and actions by their names', () => {
  expect(findFirstPath('mensagens')).toBe('/settings?aba=mensagens');
  expect(findFirstPath('administradores')).toBe('/settings?aba=administradores');
  expect(findFirstPath('nova chave')).toBe('/gateway/keys?nova=1');
  expect(findFirstPath('novo tenant')).toBe('/tenants?novo=1');
  expect(findMatches(commands, 'tema')[0]).toMatchObject({ kind: 'action', to: undefined });
});

test('the palette has every tab of the settings', () => {
  const { label: _, ...tabs } = settingsMessages.tabs;
  expect(listLabels(ALL_RIGHTS)).toEqual(expect.arrayContaining(Object.values(tabs)));
});

test('the palette offers only what the account may open', () => {
  const viewerLabels = listLabels({ isLimited: false, canWrite: false, isAdministrator: false });
  expect(viewerLabels).toEqual(expect.arrayContaining(['Minha conta', 'Tokens', 'Rotas', 'Tema']));
  for (const label of ['Mensagens', 'Administradores', 'Nova chave', 'Novo Tenant'])
    expect(viewerLabels).not.toContain(label);
  const limitedLabels = listLabels({ isLimited: true, canWrite: true, isAdministrator: false });
  expect(limitedLabels).toEqual(expect.arrayContaining(['Tenants', 'Novo Tenant', 'Minha conta']));
  for (const label of ['API Keys', 'Rotas', 'Nova chave', 'Atividade']) expect(limitedLabels).not.toContain(label);
});
