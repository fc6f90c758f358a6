import { importRows, selectedRoutes } from './importSelection';

const manifest = [
  { method: 'GET' as const, path: '/pedidos/:id', permission: 'pedidos:ler' },
  { method: 'POST' as const, path: '/pedidos', permission: '' },
];

describe('import of manifest routes', () => {
  it('starts with nothing selected and marks what is routed already', () => {
    const rows = importRows('vendas', manifest, [{ origin: '/vendas/pedidos/:id', methods: ['GET', 'DELETE'] }], {});
    expect(rows.map(({ selected, exists }) => ({ selected, exists }))).toEqual([
      { selected: false, exists: true },
      { selected: false, exists: false },
    ]);
    expect(selectedRoutes(rows)).toBeUndefined();
  });

  it('sends only the selected rows, trimmed', () => {
    const rows = importRows('vendas', manifest, [], {
      'GET /pedidos/:id': { selected: true, permission: ' pedidos:ver ' },
    });
    expect(selectedRoutes(rows)).toEqual([{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ver' }]);
  });

  it('never selects what is routed already, whatever was chosen before', () => {
    const chosen = { 'GET /pedidos/:id': { selected: true, permission: 'pedidos:ver' } };
    const rows = importRows('vendas', manifest, [{ origin: '/vendas/pedidos/:id', methods: ['GET'] }], chosen);
    expect(selectedRoutes(rows)).toBeUndefined();
  });

  it('sends nothing while a selected row lacks its permission', () => {
    const rows = importRows('vendas', manifest, [], {}).map((row) => ({ ...row, selected: true }));
    expect(selectedRoutes(rows)).toBeUndefined();
  });
});
