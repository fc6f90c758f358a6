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
const route = (origin: string, destination: string, permission: string, serviceId = service._id) => ({
  _id: origin,
  origin,
  destination,
  methods: ['GET' as const, 'POST' as const],
  permission,
  public: false,
  service: { _id: serviceId },
});

describe('import of manifest routes', () => {
  it('starts without selected rows, and compares each row with the existing routes', () => {
    const states = (existing: Parameters<typeof createImportRows>[2]) =>
      createImportRows(service, manifest, existing, {}).map(({ state, selected }) => [state, selected]);
    expect(states([])).toEqual([
      ['new', false],
      ['new', false],
    ]);
    expect(states([route('/vendas/pedidos/:id', '/pedidos/:id', 'pedidos:ler')])[0]).toEqual(['unchanged', false]);
    expect(states([route('/vendas/pedidos/:id', '/pedidos/:id', 'pedidos:ver')])[0]).toEqual(['changed', false]);
    expect(states([route('/vendas/pedidos/:id', '/antigo/:id', 'pedidos:ler')])[0]).toEqual(['changed', false]);
    // A manifest without permissions changes no permission. Routes of another service are not compared.
    expect(states([route('/vendas/pedidos', '/pedidos', 'pedidos:novo')])[1]).toEqual(['unchanged', false]);
    expect(states([route('/vendas/pedidos', '/pedidos', 'pedidos:novo', 's2')])[1]).toEqual(['new', false]);
  });

  it('finds an existing route whose path ends in a slash, and a public route despite its permission in the manifest', () => {
    const items = [
      { method: 'GET' as const, path: '/', permission: 'raiz:ler' },
      { method: 'GET' as const, path: '/itens/', permission: 'itens:ler' },
    ];
    const existing = [
      { ...route('/vendas', '/', ''), public: true },
      { ...route('/vendas/itens', '/itens/', 'itens:ler') },
    ];
    const rows = createImportRows(service, items, existing, {});
    expect(rows.map(({ state, isPublic }) => [state, isPublic])).toEqual([
      ['unchanged', true],
      ['unchanged', false],
    ]);
    expect(findObsoleteRoutes(service, [], existing)).toEqual(existing);
  });

  it('suggests a permission if the manifest has none, until the user changes it', () => {
    const suggested = (choices: Parameters<typeof createImportRows>[3]) =>
      createImportRows(service, manifest, [], choices).map(({ permission, isSuggested }) => [permission, isSuggested]);
    expect(suggested({})).toEqual([
      ['pedidos:ler', false],
      ['pedidos:criar', true],
    ]);
    expect(suggested({ 'POST /pedidos': { selected: true, permission: 'pedidos:novo' } })[1]).toEqual([
      'pedidos:novo',
      false,
    ]);
  });

  it('sends only selected rows that differ from the existing routes, trimmed', () => {
    const selection = { 'GET /pedidos/:id': { selected: true, permission: ' pedidos:ver ' } };
    expect(toImportInput(createImportRows(service, manifest, [], selection))).toEqual([
      { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ver' },
    ]);
    const unchangedRoutes = [route('/vendas/pedidos/:id', '/pedidos/:id', 'pedidos:ler')];
    expect(toImportInput(createImportRows(service, manifest, unchangedRoutes, selection))).toBeUndefined();
  });

  it('sends nothing while a selected row lacks its permission, and returns that row', () => {
    const rows = createImportRows(service, manifest, [], { 'POST /pedidos': { selected: true, permission: ' ' } });
    expect(toImportInput(rows)).toBeUndefined();
    expect(findRowsWithoutPermission(rows).map(({ key }) => key)).toEqual(['POST /pedidos']);
  });

  it('lists only keys that gain access to a selected route by the import', () => {
    const keys = [['pedidos:ler'], ['pedidos:*'], ['*'], ['pedidos:criar'], []].map((permissions) => ({ permissions }));
    const permissionsOfGainingKeys = (
      existing: Parameters<typeof createImportRows>[2],
      permission: string,
      selected = true,
    ) =>
      findKeysThatGainAccess(
        createImportRows(service, manifest, existing, { 'GET /pedidos/:id': { selected, permission } }),
        keys,
      ).map(({ permissions }) => permissions.join());
    expect(permissionsOfGainingKeys([], ' pedidos:ler ')).toEqual(['pedidos:ler', 'pedidos:*']);
    expect(permissionsOfGainingKeys([], 'pedidos:ler', false)).toEqual([]);
    expect(permissionsOfGainingKeys([], 'vendas-pedidos:ler')).toEqual([]);
    const before = [route('/vendas/pedidos/:id', '/antigo/:id', 'pedidos:ver')];
    expect(permissionsOfGainingKeys(before, 'pedidos:ler')).toEqual(['pedidos:ler']);
    expect(
      permissionsOfGainingKeys([{ ...route('/vendas/pedidos/:id', '/antigo/:id', ''), public: true }], 'pedidos:ler'),
    ).toEqual([]);
  });

  it('lists imported routes that the manifest no longer has, and sends a selection of them alone', () => {
    const missingRoute = route('/vendas/velho', '/velho', 'velho:ler');
    const existing = [
      missingRoute,
      route('/vendas/pedidos', '/pedidos', 'a:b'),
      route('/feita/a/mao', '/velho', 'a:b'),
    ];
    expect(findObsoleteRoutes(service, manifest, existing)).toEqual([missingRoute]);
    expect(toImportInput(createImportRows(service, manifest, existing, {}), [missingRoute._id])).toEqual([]);
  });
});
