import {
  createImportRows,
  findKeysThatGainAccess,
  findObsoleteRoutes,
  findRowsWithoutPermission,
  toImportInput,
} from './importSelection';

const service = { _id: 's1', name: 'vendas' };
const manifest = [
  { method: 'GET' as const, path: '/pedidos/:id', permission: 'pedidos:ler' },
  { method: 'POST' as const, path: '/pedidos', permission: '', suggestedPermission: 'pedidos:criar' },
];
const createRoute = (origin: string, destination: string, permission: string, serviceId = service._id) => ({
  _id: origin,
  origin,
  destination,
  methods: ['GET' as const, 'POST' as const],
  permission,
  public: false,
  service: { _id: serviceId },
});

describe('the import of routes', () => {
  test('starts without selected rows, and compares each row with the existing routes', () => {
    const compareRows = (existing: Parameters<typeof createImportRows>[2]) =>
      createImportRows(service, manifest, existing, {}).map(({ state, selected }) => [state, selected]);
    expect(compareRows([])).toEqual([
      ['new', false],
      ['new', false],
    ]);
    expect(compareRows([createRoute('/vendas/pedidos/:id', '/pedidos/:id', 'pedidos:ler')])[0]).toEqual([
      'unchanged',
      false,
    ]);
    expect(compareRows([createRoute('/vendas/pedidos/:id', '/pedidos/:id', 'pedidos:ver')])[0]).toEqual([
      'changed',
      false,
    ]);
    expect(compareRows([createRoute('/vendas/pedidos/:id', '/antigo/:id', 'pedidos:ler')])[0]).toEqual([
      'changed',
      false,
    ]);
    // A manifest without permissions changes no permission. Routes of another service are not compared.
    expect(compareRows([createRoute('/vendas/pedidos', '/pedidos', 'pedidos:novo')])[1]).toEqual(['unchanged', false]);
    expect(compareRows([createRoute('/vendas/pedidos', '/pedidos', 'pedidos:novo', 's2')])[1]).toEqual(['new', false]);
  });

  test('ignores a trailing slash of a path, and the permission that the manifest has for a public route', () => {
    const items = [
      { method: 'GET' as const, path: '/', permission: 'raiz:ler' },
      { method: 'GET' as const, path: '/itens/', permission: 'itens:ler' },
    ];
    const existing = [
      { ...createRoute('/vendas', '/', ''), public: true },
      { ...createRoute('/vendas/itens', '/itens/', 'itens:ler') },
    ];
    const rows = createImportRows(service, items, existing, {});
    expect(rows.map(({ state, isPublic }) => [state, isPublic])).toEqual([
      ['unchanged', true],
      ['unchanged', false],
    ]);
    expect(findObsoleteRoutes(service, [], existing)).toEqual(existing);
  });

  test('recognises an existing route whose parameter has another name or whose path has another case', () => {
    const items = [{ method: 'GET' as const, path: '/Itens/:itemId/*', permission: '', suggestedPermission: 'x:ler' }];
    const existing = [createRoute('/vendas/itens/:id/*', '/itens/:id/*', 'itens:ler')];
    const [row] = createImportRows(service, items, existing, {});
    expect(row).toMatchObject({ state: 'changed', permission: 'itens:ler', isSuggested: false });
    expect(findObsoleteRoutes(service, items, existing)).toEqual([]);
    const [newRow] = createImportRows(service, items, [createRoute('/vendas/itens/id/*', '/itens/id/*', 'a:b')], {});
    expect(newRow?.state).toBe('new');
  });

  test('suggests a permission where the manifest names none, until the user types another permission', () => {
    const suggestPermissions = (choices: Parameters<typeof createImportRows>[3]) =>
      createImportRows(service, manifest, [], choices).map(({ permission, isSuggested }) => [permission, isSuggested]);
    expect(suggestPermissions({})).toEqual([
      ['pedidos:ler', false],
      ['pedidos:criar', true],
    ]);
    expect(suggestPermissions({ 'POST /pedidos': { selected: true, permission: 'pedidos:novo' } })[1]).toEqual([
      'pedidos:novo',
      false,
    ]);
  });

  test('sends only selected rows that differ from the existing routes, with trimmed permissions', () => {
    const selection = { 'GET /pedidos/:id': { selected: true, permission: ' pedidos:ver ' } };
    expect(toImportInput(createImportRows(service, manifest, [], selection))).toEqual([
      { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ver' },
    ]);
    const unchangedRoutes = [createRoute('/vendas/pedidos/:id', '/pedidos/:id', 'pedidos:ler')];
    expect(toImportInput(createImportRows(service, manifest, unchangedRoutes, selection))).toBeUndefined();
  });

  test('sends nothing while a selected row lacks a permission, and finds that row', () => {
    const rows = createImportRows(service, manifest, [], { 'POST /pedidos': { selected: true, permission: ' ' } });
    expect(toImportInput(rows)).toBeUndefined();
    expect(findRowsWithoutPermission(rows).map(({ key }) => key)).toEqual(['POST /pedidos']);
  });

  test('lists only the API keys that can call a selected route because of the import', () => {
    const keys = [['pedidos:ler'], ['pedidos:*'], ['*'], ['pedidos:criar'], []].map((permissions) => ({ permissions }));
    const listGainingKeys = (existing: Parameters<typeof createImportRows>[2], permission: string, selected = true) =>
      findKeysThatGainAccess(
        createImportRows(service, manifest, existing, { 'GET /pedidos/:id': { selected, permission } }),
        keys,
      ).map(({ permissions }) => permissions.join());
    expect(listGainingKeys([], ' pedidos:ler ')).toEqual(['pedidos:ler', 'pedidos:*']);
    expect(listGainingKeys([], 'pedidos:ler', false)).toEqual([]);
    expect(listGainingKeys([], 'vendas-pedidos:ler')).toEqual([]);
    const changedRoutes = [createRoute('/vendas/pedidos/:id', '/antigo/:id', 'pedidos:ver')];
    expect(listGainingKeys(changedRoutes, 'pedidos:ler')).toEqual(['pedidos:ler']);
    expect(
      listGainingKeys([{ ...createRoute('/vendas/pedidos/:id', '/antigo/:id', ''), public: true }], 'pedidos:ler'),
    ).toEqual([]);
  });

  test('lists imported routes that the manifest no longer has, and can remove them without an import', () => {
    const missingRoute = createRoute('/vendas/velho', '/velho', 'velho:ler');
    const existing = [
      missingRoute,
      createRoute('/vendas/pedidos', '/pedidos', 'a:b'),
      createRoute('/feita/a/mao', '/velho', 'a:b'),
    ];
    expect(findObsoleteRoutes(service, manifest, existing)).toEqual([missingRoute]);
    expect(toImportInput(createImportRows(service, manifest, existing, {}), [missingRoute._id])).toEqual([]);
  });
});
