import { settingsMessages } from '../settings/settings.messages';
import { allCommands, matching, subdomainCommands } from './commands';

const entities = {
  tenants: [
    { _id: '1', name: 'Padaria do Zé', subdomain: 'padaria' },
    { _id: '2', name: 'A Padaria', subdomain: 'outra' },
  ],
  projects: [{ _id: '3', name: 'CRM' }],
  gatewayServices: [],
  apiKeys: [{ _id: '4', name: 'Parceiro', prefix: 'sk7_abcdefgh' }],
};
const EVERYTHING = { isLimited: false, canWrite: true, isAdministrator: true };
const commands = allCommands(entities, EVERYTHING);
const labels = (rights: typeof EVERYTHING) => allCommands(undefined, rights).map(({ label }) => label);
const firstMatch = (query: string) => matching(commands, query)[0]?.to;

test('finds without case and accents, beginnings first', () => {
  expect(matching(commands, 'PADARIA').map(({ label }) => label)).toEqual(['Padaria do Zé', 'A Padaria']);
  expect(firstMatch('metricas')).toBe('/gateway/metrics');
});

test('leads to the page of a tenant or subdomain, and to a list with the name searched for', () => {
  expect(firstMatch('padaria do')).toBe('/tenants/1');
  expect(firstMatch('sk7_abc')).toBe('/gateway/keys?q=Parceiro');
  const found = { subdomains: { subdomains: [{ subdomain: 'loja', description: 'A loja' }] } };
  expect(subdomainCommands(found)[0]?.to).toBe('/admin/subdomains/loja');
});

test('offers the screens before anything is typed', () => {
  expect(matching(commands, '').map(({ kind }) => kind)).toContain('screen');
});

test('finds tabs, and actions by their words', () => {
  expect(firstMatch('mensagens')).toBe('/settings?aba=mensagens');
  expect(firstMatch('administradores')).toBe('/settings?aba=administradores');
  expect(firstMatch('nova chave')).toBe('/gateway/keys?nova=1');
  expect(firstMatch('novo tenant')).toBe('/tenants?novo=1');
  expect(matching(commands, 'tema')[0]).toMatchObject({ kind: 'action', to: undefined });
});

test('names every tab of the settings', () => {
  const { label: _, ...tabs } = settingsMessages.tabs;
  expect(labels(EVERYTHING)).toEqual(expect.arrayContaining(Object.values(tabs)));
});

test('offers nothing that the account may not open', () => {
  const viewer = labels({ isLimited: false, canWrite: false, isAdministrator: false });
  expect(viewer).toEqual(expect.arrayContaining(['Minha conta', 'Tokens', 'Rotas', 'Tema']));
  for (const label of ['Mensagens', 'Administradores', 'Nova chave', 'Novo Tenant'])
    expect(viewer).not.toContain(label);
  const limited = labels({ isLimited: true, canWrite: true, isAdministrator: false });
  expect(limited).toEqual(expect.arrayContaining(['Tenants', 'Novo Tenant', 'Minha conta']));
  for (const label of ['API Keys', 'Rotas', 'Nova chave', 'Atividade']) expect(limited).not.toContain(label);
});
