import type { Page } from 'playwright-core';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { expectNotice, waitForFocus } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createHold } from './support/hold';

let page: Page;
const { button, field } = controls(() => page);
let service: RunningServer;
let serviceId: string;
/** The paths of the OpenAPI document that the service publishes. */
let paths: Record<string, object> = {};
/** If this hold is set, the responses of the service wait for its release. */
let manifestHold: ReturnType<typeof createHold> | undefined;

const operation = { responses: { 200: { description: 'ok' } } };

const app = startConsole({
  failsOnPageErrors: true,
  setUp: async () => {
    service = await listen(async (request, response) => {
      await manifestHold?.whileHeld;
      response.setHeader('Content-Type', 'application/json');
      if (!/^\/openapi\.json(\?|$)/.test(request.url ?? '')) response.statusCode = 404;
      response.end(JSON.stringify({ openapi: '3.1.0', info: { title: 'Estoque', version: '1' }, paths }));
    });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
/** Each test begins with one service, which has no routes, and without keys. */
beforeEach(async () => {
  for (const list of ['/gateway/admin/services', '/gateway/admin/keys']) await app.stack.removeAll(list);
  serviceId = String((await app.stack.create('/gateway/admin/services', { name: 'estoque', host: service.url }))._id);
});
afterAll(() => service?.stop());

const dialog = () => page.getByRole('dialog', { name: 'Importar Rotas de estoque' });
const row = (text: string) => dialog().getByRole('listitem').filter({ hasText: text });
const openImport = async () => {
  await page.goto(`${app.stack.url}/gateway/management`);
  await button('Importar Rotas estoque').click();
  await dialog().waitFor();
};
const saveImport = async () => {
  await button('Salvar Rotas Selecionadas').click();
  await expectNotice(page, 'Rotas importadas com sucesso!');
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Rotas Configuradas' }).waitFor();
};

test('an import lists skipped operations and new routes with permissions, and leads to the list of routes', async () => {
  paths = { '/itens': { get: operation, post: operation, trace: operation }, '/lotes/{id}': { delete: operation } };
  await openImport();
  await dialog().getByText('1 operação ficou de fora').click();
  await dialog().getByText('TRACE /itens').waitFor();
  expect(await row('nova').count()).toBe(3);
  await page.getByRole('checkbox', { name: 'Selecionar todas' }).check();
  expect(await page.getByLabel('Permissão de GET /itens').inputValue()).toBe('itens:ler');
  await page.getByLabel('Permissão de DELETE /lotes/:id').fill('');
  await button('Salvar Rotas Selecionadas').click();
  await page.getByRole('alert').getByText('Nenhuma rota selecionada ou com permissão definida.').waitFor();
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Permissão de DELETE /lotes/:id',
  );
  await dialog().locator('label').getByText('Permissão para as selecionadas').waitFor();
  await page.getByLabel('Permissão para as selecionadas').fill('estoque : usar');
  await button('Aplicar às selecionadas').click();
  expect(await page.getByLabel('Permissão de DELETE /lotes/:id').inputValue()).toBe('estoque:usar');
  await page.getByLabel('Permissão de POST /itens').fill('Estoque : Criar');
  await saveImport();
  await waitForFocus(page, 'Nova rota');
  await page.getByRole('row').filter({ hasText: '/estoque/lotes/:id' }).getByText('estoque:usar').waitFor();
  await page.getByRole('row').getByText('Estoque:Criar', { exact: true }).waitFor();

  await button('Editar /estoque/lotes/:id').click();
  await page.getByRole('dialog', { name: 'Editar rota' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Editar rota' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Rotas Configuradas' }).waitFor();
});

test('opening the dialog loads no stylesheet that the page already has', async () => {
  await openImport();
  const readPaths = (links: Element[]) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname);
  const pagePaths = await page.locator('link[rel="stylesheet"]:not([crossorigin])').evaluateAll(readPaths);
  const addedPaths = await page.locator('link[rel="stylesheet"][crossorigin]').evaluateAll(readPaths); // By Vite.
  expect(addedPaths).not.toEqual([]);
  expect(addedPaths.filter((path) => pagePaths.includes(path))).toEqual([]);
});

test('a second import lists changes, and removes a ticked route that the document no longer has', async () => {
  paths = { '/itens': { get: { ...operation, 'x-permission': 'itens:ver' }, post: operation } };
  const routes = [
    { method: 'GET', path: '/itens', permission: 'itens:ler' },
    { method: 'POST', path: '/itens', permission: 'itens:criar' },
    { method: 'DELETE', path: '/lotes/:id', permission: 'lotes:remover' },
  ];
  await app.stack.create('/gateway/admin/routes/import', { serviceId, routes });
  await openImport();
  await row('/itens').filter({ hasText: 'GET' }).getByText('alterada').waitFor();
  await row('/itens').filter({ hasText: 'POST' }).getByText('igual').waitFor();
  expect(await button('Salvar Rotas Selecionadas').isDisabled()).toBe(true);
  const missingGroup = dialog().getByRole('group', { name: /^Fora do manifesto/ });
  await missingGroup.getByRole('checkbox', { name: /lotes/ }).check();
  await page.getByRole('checkbox', { name: /GET \/itens/ }).check();
  await saveImport();
  await page.getByRole('row').filter({ hasText: 'itens:ver' }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: '/estoque/lotes' }).count()).toBe(0);
});

test('a route whose parameter has a new name in the document keeps its permission', async () => {
  paths = { '/Itens/{itemId}': { get: operation } };
  const routes = [{ method: 'GET', path: '/itens/:id', permission: 'itens:ver' }];
  await app.stack.create('/gateway/admin/routes/import', { serviceId, routes });
  await openImport();
  await row('/Itens/:itemId').getByText('alterada').waitFor();
  expect(
    await dialog()
      .getByText(/^Fora do manifesto/)
      .count(),
  ).toBe(0);
  await page.getByRole('checkbox', { name: /GET/ }).check();
  await saveImport();
  await page.getByRole('row').filter({ hasText: '/estoque/Itens/:itemId' }).getByText('itens:ver').waitFor();
  expect(await page.getByRole('row').filter({ hasText: '/estoque/itens/:id' }).count()).toBe(0);
});

test('a suggestion avoids the permissions of existing keys, and the dialog names the keys that gain access', async () => {
  paths = { '/pedidos': { get: operation, post: operation } };
  await app.stack.create('/gateway/admin/keys', { name: 'Parceiro antigo', permissions: ['pedidos:ler'] });
  await openImport();
  await page.getByRole('checkbox', { name: 'Selecionar todas' }).check();
  const permission = page.getByLabel('Permissão de GET /pedidos');
  expect(await permission.inputValue()).toBe('estoque-pedidos:ler');
  expect(await page.getByLabel('Permissão de POST /pedidos').inputValue()).toBe('pedidos:criar');
  const gainedAccess = dialog().getByText('1 chave existente ganha acesso a estas rotas');
  expect(await gainedAccess.count()).toBe(0);
  await permission.fill('pedidos:ler');
  await gainedAccess.waitFor();
  await dialog().getByText('Parceiro antigo').waitFor();
  await permission.fill('estoque-pedidos:ler');
  await gainedAccess.waitFor({ state: 'detached' });
});

test('the error of one source is gone while the next source is read', async () => {
  await app.stack.create('/gateway/admin/services', { name: 'frota', host: `${service.url}/nada` });
  await page.goto(`${app.stack.url}/gateway/management`);
  await button('Importar Rotas frota').click();
  await page.getByText('Não foi possível ler o manifesto do serviço.').waitFor();
  const { whileHeld, release } = createHold();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('/carros')) await whileHeld;
    await route.continue();
  });
  await page.locator('input[type="file"]').setInputFiles({
    name: 'manifesto.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([{ method: 'GET', path: '/carros' }])),
  });
  await page.getByText('Buscando manifesto do serviço...').waitFor();
  expect(await page.getByText('Não foi possível ler o manifesto do serviço.').count()).toBe(0);
  release();
  await page.getByText('em /frota/carros', { exact: true }).waitFor();
});

test('a document is pasted or fetched from another URL if the service publishes no document', async () => {
  await app.stack.create('/gateway/admin/services', { name: 'pedidos', host: `${service.url}/nada` });
  await page.goto(`${app.stack.url}/gateway/management`);
  await button('Importar Rotas pedidos').click();
  const importDialog = page.getByRole('dialog', { name: 'Importar Rotas de pedidos' });
  await importDialog.getByText(/Endereços tentados: .*\/nada\/openapi\.json/).waitFor();
  await button('Colar documento').click();
  await importDialog.getByLabel('Documento OpenAPI ou manifesto, em JSON ou YAML').fill('isto não é JSON');
  await button('Ler documento').click();
  await importDialog.getByText('O documento não é um JSON nem um YAML válido.').waitFor();
  // Another try would read the same invalid document.
  expect(await button('Tentar novamente').count()).toBe(0);
  // At 200 % zoom a second line of actions would leave too little height for the rows.
  await page.setViewportSize({ width: 640, height: 450 });
  const readTop = async (name: string) => (await button(name).boundingBox())?.y;
  expect(await readTop('Cancelar')).toBe(await readTop('Salvar Rotas Selecionadas'));
  await page.setViewportSize({ width: 390, height: 844 });
  const footer = importDialog.getByRole('button', { name: 'Cancelar' }).locator('xpath=..');
  // The footer has one line of buttons, with a padding of 16 px above and below.
  expect((await footer.boundingBox())?.height).toBeLessThan(80);
  expect(await readTop('Cancelar')).toBe(await readTop('Salvar Rotas Selecionadas'));
  expect(await importDialog.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 });
  const readLeft = async (name: string) => (await button(name).locator('xpath=text()/..').boundingBox())?.x;
  expect(await readLeft('Voltar ao manifesto do serviço')).toBe(await readLeft('Colar documento'));
  await page.setViewportSize({ width: 1280, height: 900 });
  const openApiText = JSON.stringify({ openapi: '3.1.0', info: {}, paths: { '/pedidos': { get: {} } } });
  await importDialog.getByLabel('Documento OpenAPI ou manifesto, em JSON ou YAML').fill(openApiText);
  await button('Ler documento').click();
  await importDialog.getByText('O caminho repete o nome do serviço: /pedidos/pedidos.').waitFor();
  // Once a document has been read, the field with its text is gone.
  expect(await importDialog.getByRole('textbox', { name: 'Documento OpenAPI' }).count()).toBe(0);
  await importDialog.getByText('em /pedidos/pedidos', { exact: true }).waitFor();
  await button('Selecionar novas').click();
  await importDialog.getByText('1 de 1 selecionadas').waitFor();
  paths = { '/caixas': { get: operation } };
  await button('Outro endereço').click();
  expect(await importDialog.getByLabel('Endereço do documento').inputValue()).toBe(`${service.url}/nada/openapi.json`);
  await importDialog.getByLabel('Endereço do documento').fill(`${service.url}/openapi.json`);
  await page.keyboard.press('Enter');
  await importDialog.getByText('em /pedidos/caixas', { exact: true }).waitFor();
  for (const [path, address] of [
    ['/filiais', '/openapi.json?filiais'],
    ['/turnos', `${service.url.slice('http://'.length)}/openapi.json?turnos`],
  ] as const) {
    paths = { [path]: { get: operation } };
    await button('Outro endereço').click();
    await importDialog.getByLabel('Endereço do documento').fill(address);
    await button('Buscar').click();
    await importDialog.getByText(`em /pedidos${path}`, { exact: true }).waitFor();
  }
});

test('a double click on a source keeps its field open, and each source keeps its text', async () => {
  await app.stack.create('/gateway/admin/services', { name: 'pressa', host: `${service.url}/nada` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${app.stack.url}/gateway/management`);
  await button('Importar Rotas pressa').click();
  const importDialog = page.getByRole('dialog', { name: 'Importar Rotas de pressa' });
  await importDialog.getByText(/Endereços tentados/).waitFor();
  const address = importDialog.getByLabel('Endereço do documento');
  await button('Outro endereço').dblclick();
  await address.fill('ftp://exemplo.com/openapi.json');
  await address.press('Enter');
  await importDialog.getByText('Informe um endereço http:// ou https://.').waitFor();
  await button('Buscar').dblclick();
  await button('Colar documento').dblclick();
  await importDialog.getByLabel('Documento OpenAPI ou manifesto, em JSON ou YAML').fill('[]');
  await button('Outro endereço').click();
  expect(await address.inputValue()).toBe('ftp://exemplo.com/openapi.json');
  await button('Colar documento').click();
  expect(await importDialog.getByLabel('Documento OpenAPI ou manifesto, em JSON ou YAML').inputValue()).toBe('[]');
});

test('a malformed permission is marked and focused at its route', async () => {
  paths = { '/vagas': { get: operation, post: operation } };
  await openImport();
  await page.getByRole('checkbox', { name: 'Selecionar todas' }).check();
  const permission = page.getByLabel('Permissão de POST /vagas');
  await permission.fill('criar vaga');
  await button('Salvar Rotas Selecionadas').click();
  await page.getByRole('alert').getByText('Informe a permissão na forma recurso:acao.').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Permissão de POST /vagas');
  expect(await permission.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Permissão de GET /vagas').getAttribute('aria-invalid')).toBeNull();
});

test('a chosen file replaces the field for a pasted document', async () => {
  await app.stack.create('/gateway/admin/services', { name: 'arquivo', host: `${service.url}/nada` });
  await page.goto(`${app.stack.url}/gateway/management`);
  await button('Importar Rotas arquivo').click();
  const importDialog = page.getByRole('dialog', { name: 'Importar Rotas de arquivo' });
  await button('Colar documento').click();
  const documentField = importDialog.getByLabel('Documento OpenAPI ou manifesto, em JSON ou YAML');
  await documentField.fill('isto não é JSON');
  const openApiText = JSON.stringify({ openapi: '3.1.0', info: {}, paths: { '/notas': { get: {} } } });
  const file = { name: 'api.json', mimeType: 'application/json', buffer: Buffer.from(openApiText) };
  const upload = importDialog.locator('input[type="file"]');
  const yaml = ['openapi: 3.1.0', 'paths:', '  /recibos:', '    get:', '      summary: Lista'].join('\n');
  await upload.setInputFiles({ name: 'api.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) });
  await importDialog.getByText('em /arquivo/recibos', { exact: true }).waitFor();
  expect(await upload.getAttribute('accept')).toContain('.yaml');
  await button('Colar documento').click();
  await documentField.fill(`openapi: 3.1.0\npaths:\n  /recibos: ]\n`);
  await button('Ler documento').click();
  await importDialog.getByText('O YAML tem um erro na linha 3.').waitFor();
  expect(await documentField.inputValue()).toContain('/recibos: ]');
  await upload.setInputFiles(file);
  await importDialog.getByText('em /arquivo/notas', { exact: true }).waitFor();
  expect(await documentField.count()).toBe(0);
});

test('a file that cannot be read is reported', async () => {
  await app.stack.create('/gateway/admin/services', { name: 'ilegivel', host: `${service.url}/nada` });
  await page.goto(`${app.stack.url}/gateway/management`);
  await button('Importar Rotas ilegivel').click();
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  });
  const file = { name: 'api.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
  await page.getByRole('dialog').locator('input[type="file"]').setInputFiles(file);
  await page.getByText('O arquivo não pôde ser lido. Tente de novo.').waitFor();
});

test('of 1,500 rows only the visible rows are mounted, a search finds the others, and a refused row scrolls into view', async () => {
  const operationOfOtherServer = { ...operation, servers: [{ url: 'https://arquivos.exemplo.com' }] };
  const operations = Array.from({ length: 1_500 }, (_, index) => [
    `/itens-${index}`,
    { get: index === 3 ? operationOfOtherServer : operation },
  ]);
  paths = Object.fromEntries(operations);
  await openImport();
  await dialog().getByText('No documento atende em arquivos.exemplo.com').waitFor();
  expect(await dialog().getByRole('listitem').count()).toBeLessThan(100);
  await page.getByRole('checkbox', { name: 'Selecionar todas' }).check();
  await dialog().getByText('1500 de 1500 selecionadas').waitFor();
  await page.getByLabel('Buscar no manifesto').fill('itens-1400');
  await page.getByLabel('Permissão de GET /itens-1400').fill('');
  await page.getByLabel('Buscar no manifesto').press('Escape');
  await page.getByLabel('Permissão de GET /itens-1', { exact: true }).waitFor();
  await button('Salvar Rotas Selecionadas').click();
  await page.getByRole('alert').getByText('Nenhuma rota selecionada ou com permissão definida.').waitFor();
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Permissão de GET /itens-1400',
  );
  await page.keyboard.type('itens:ler');
  await saveImport();
  await page.getByText('1500 rotas', { exact: true }).waitFor();
});

test('a service is created by its form, and its routes by an import of its manifest', async () => {
  paths = {
    '/itens/{id}': { get: { ...operation, 'x-permission': 'itens:ler' } },
    '/itens': { post: operation },
  };
  await app.stack.removeAll('/gateway/admin/services');
  await page.goto(`${app.stack.url}/gateway/management`);
  await page.getByText('Nenhum serviço encontrado.').waitFor();
  await button('Adicionar Serviço').click();
  await page.getByText('Informe o nome do serviço.').waitFor();
  await field('Nome do Serviço').fill('estoque');
  await field('Host do Serviço').fill(service.url);
  await button('Adicionar Serviço').click();
  await expectNotice(page, 'Serviço criado com sucesso!');
  await page.getByRole('heading', { name: 'Serviços Existentes' }).waitFor();
  manifestHold = createHold();
  await button('Importar Rotas estoque').click();
  await page.getByRole('dialog', { name: 'Importar Rotas de estoque' }).waitFor();
  await page.getByText('Buscando manifesto do serviço...').waitFor();
  manifestHold.release();
  const save = button('Salvar Rotas Selecionadas');
  await page.getByText('/itens/:id', { exact: true }).waitFor();
  expect(await save.isDisabled()).toBe(true);
  const permission = field('Permissão de POST /itens');
  expect(await permission.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /POST/ }).check();
  expect(await permission.inputValue()).toBe('itens:criar');
  await page.getByText('Sugerida: o manifesto não diz nenhuma').waitFor();
  await permission.fill('');
  await save.click();
  await page.getByRole('alert').getByText('Nenhuma rota selecionada ou com permissão definida.').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Permissão de POST /itens');
  await permission.fill('itens:criar');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Descartar alterações?' }).waitFor();
  await button('Continuar editando').click();
  expect(await permission.inputValue()).toBe('itens:criar');
  await page.getByRole('checkbox', { name: /GET/ }).check();
  await save.click();
  await expectNotice(page, 'Rotas importadas com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Rotas Configuradas' }).waitFor();
  await page.getByText('/estoque/itens/:id').waitFor();
  await page.reload();
  await page.getByText('/estoque/itens/:id').waitFor();
});
