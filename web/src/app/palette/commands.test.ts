import { allCommands, matching } from './commands';

const commands = allCommands({
  tenants: [
    { _id: '1', name: 'Padaria do Zé', subdomain: 'padaria' },
    { _id: '2', name: 'A Padaria', subdomain: 'outra' },
  ],
  projects: [{ _id: '3', name: 'CRM' }],
  gatewayServices: [],
});

test('finds without case and accents, beginnings first', () => {
  expect(matching(commands, 'PADARIA').map(({ label }) => label)).toEqual(['Padaria do Zé', 'A Padaria']);
  expect(matching(commands, 'metricas').map(({ to }) => to)).toEqual(['/gateway/metrics']);
});

test('leads to the list with the name searched for', () => {
  expect(matching(commands, 'padaria do')[0]?.to).toBe('/tenants?q=Padaria+do+Z%C3%A9');
});

test('offers the screens before anything is typed', () => {
  expect(matching(commands, '').map(({ kind }) => kind)).toContain('screen');
});
