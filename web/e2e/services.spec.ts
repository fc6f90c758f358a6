import type { Page } from 'playwright-core';
import { expectCopied, expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  failsOnPageErrors: true,
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Each test begins without services and keys. */
beforeEach(async () => {
  for (const list of ['/gateway/admin/services', '/gateway/admin/keys']) await app.stack.removeAll(list);
});

/** Creates the service `pedidos-voce`. @returns its id */
const createService = async () =>
  (await app.stack.create('/gateway/admin/services', { name: 'pedidos-voce', host: 'http://127.0.0.1:4999' }))._id;
/** Creates the service `pedidos-voce` and a public route of it. @returns the id of the service */
async function createPublicRoute() {
  const serviceId = await createService();
  await app.stack.create('/gateway/admin/routes', {
    serviceId,
    origin: '/pedidos-voce/aberto',
    destination: '/aberto',
    methods: ['GET'],
    public: true,
    permission: '',
  });
  return serviceId;
}
const openPath = (path: string) => page.goto(app.stack.url + path);
const dialog = () => page.getByRole('dialog', { name: 'Editar serviço' });
/** A field of the dialog. The form behind the dialog has the same labels. */
const dialogField = (name: string) => dialog().getByRole('textbox', { name, exact: true });
const saveAndWait = async () => {
  await dialog().getByRole('button', { name: 'Salvar' }).click();
  await expectNotice(page, 'Serviço atualizado com sucesso!');
  await dialog().waitFor({ state: 'detached' });
};

test('an empty list below an open form has no button', async () => {
  for (const [path, text] of [
    ['/gateway/management', 'Nenhum serviço encontrado.'],
    ['/gateway/keys', 'Nenhuma chave de API encontrada.'],
  ] as const) {
    await openPath(path);
    const emptyText = page.getByText(text);
    await emptyText.waitFor();
    expect([path, await emptyText.locator('..').getByRole('button').count()]).toEqual([path, 0]);
  }
});

test('the screen of routes shows the URL of the gateway, and links to the documentation', async () => {
  await openPath('/gateway/management?tab=rotas');
  const url = `http://api.localhost:${app.stack.port}`;
  await page.getByText(url, { exact: true }).waitFor();
  await button('Copiar endereço do gateway').click();
  await expectCopied(page, url);
  for (const name of ['Documentação da API de administração', 'Playground GraphQL']) {
    const path = await page.getByRole('link', { name }).getAttribute('href');
    expect([name, (await fetch(app.stack.url + path)).status]).toEqual([name, 200]);
  }
});

test('a new route preselects the only service, and its dialog closes without a question', async () => {
  const { _id } = await app.stack.create('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4998' });
  await openPath('/gateway/management?tab=rotas');
  await button('Nova rota').click();
  const service = page.getByRole('dialog').getByLabel('Serviço', { exact: true });
  await service.getByRole('option', { name: 'estoque' }).waitFor({ state: 'attached' });
  expect(await service.inputValue()).toBe(_id);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a path of a route gets a leading slash, a pasted URL loses host and query, a permission loses spaces', async () => {
  await app.stack.create('/gateway/admin/services', { name: 'barras', host: 'http://127.0.0.1:4998' });
  await openPath('/gateway/management?tab=rotas&nova=1');
  await page.getByRole('dialog').getByLabel('Serviço', { exact: true }).selectOption({ label: 'barras' });
  await field('Origem').fill('barras/itens ');
  await field('Destino').fill('itens');
  expect(await field('Origem').inputValue()).toBe('/barras/itens');
  await field('Origem').fill(`http://api.localhost:${app.stack.port}/barras/itens?pagina=1`);
  await field('Permissão').fill('itens : ler');
  await field('Destino').press('Enter');
  await expectNotice(page, 'Rota criada com sucesso!');
  const routes = await app.stack.request('GET', '/gateway/admin/routes');
  const expectedFields = { origin: '/barras/itens', destination: '/itens', permission: 'itens:ler' };
  expect(routes).toContainEqual(expect.objectContaining(expectedFields));
});

test('a name becomes a slug while it is typed, and a host without a scheme gets one', async () => {
  await openPath('/gateway/management');
  await field('Nome do Serviço').pressSequentially('Pedidos & Você');
  expect(await field('Nome do Serviço').inputValue()).toBe('pedidos-voce');
  await field('Host do Serviço').fill('127.0.0.1:4999');
  await page.keyboard.press('Tab');
  expect(await field('Host do Serviço').inputValue()).toBe('http://127.0.0.1:4999');
  await button('Adicionar Serviço').click();
  await expectNotice(page, 'Serviço criado com sucesso!');
  await page.getByRole('cell', { name: 'pedidos-voce', exact: true }).waitFor();
});

test('time-out, instances, health check and CORS of a service are edited in a section that expands, and the next edit shows them', async () => {
  await createService();
  await openPath('/gateway/management');
  await button('Editar pedidos-voce').click();
  await page.getByText('Mais opções').click();
  await page.getByLabel('Tempo limite (segundos)').fill('0');
  await dialog().getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('O tempo limite vai de 1 a 600 segundos.').waitFor();
  await page.getByLabel('Tempo limite (segundos)').fill('30');
  await dialogField('Outras instâncias').fill('127.0.0.1:4998\nhttp://127.0.0.1:4997');
  await dialogField('Caminho de verificação').fill('/healthz');
  await dialogField('Origens permitidas (CORS)').fill('*');
  await page.getByRole('checkbox', { name: 'Permitir credenciais (cookies)' }).check();
  await dialog().getByRole('button', { name: 'Salvar' }).click();
  await dialog().getByText('Com credenciais é preciso dizer as origens: * não vale.').first().waitFor();
  await dialogField('Origens permitidas (CORS)').fill('https://app.exemplo.com');
  await saveAndWait();
  await button('Editar pedidos-voce').click();
  expect(await page.getByLabel('Tempo limite (segundos)').inputValue()).toBe('30');
  expect(await dialogField('Outras instâncias').inputValue()).toBe('http://127.0.0.1:4998\nhttp://127.0.0.1:4997');
  expect(await dialogField('Origens permitidas (CORS)').inputValue()).toBe('https://app.exemplo.com');
  expect(await page.getByRole('checkbox', { name: 'Permitir credenciais (cookies)' }).isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

test('a public route needs no permission', async () => {
  await createService();
  await openPath('/gateway/management?tab=rotas&nova=1');
  await page.getByLabel('Serviço', { exact: true }).selectOption({ label: 'pedidos-voce' });
  await field('Origem').fill('/pedidos-voce/aberto');
  await field('Destino').fill('/aberto');
  await button('Salvar').click();
  await page.getByText('Informe a permissão.').waitFor();
  await page.getByRole('checkbox', { name: 'Pública: qualquer um chama, sem chave' }).check();
  await button('Salvar').click();
  await expectNotice(page, 'Rota criada com sucesso!');
  await page.getByRole('row').filter({ hasText: '/pedidos-voce/aberto' }).getByText('pública').waitFor();
});

test('the test of a route shows its verdict step by step, and the URL that would be called', async () => {
  const serviceId = await createPublicRoute();
  const { key } = await app.stack.create('/gateway/admin/keys', { name: 'Alheia', permissions: ['outra:ler'] });
  const testDialog = () => page.getByRole('dialog', { name: 'Testar rota' });
  const verdict = () => testDialog().getByRole('region', { name: 'Resultado do teste' });
  const submitTest = () => testDialog().getByRole('button', { name: 'Testar' }).click();
  await openPath('/gateway/management?tab=rotas');
  await button('Testar /pedidos-voce/aberto').click();
  expect(await testDialog().getByLabel('Caminho').inputValue()).toBe('/pedidos-voce/aberto');
  await submitTest();
  await verdict().getByText('Permitida: a borda encaminha esta requisição.').waitFor();
  await verdict().getByText('http://127.0.0.1:4999/aberto', { exact: true }).waitFor();
  await testDialog().getByLabel('Fazer a chamada').check();
  await verdict().waitFor({ state: 'detached' });
  await submitTest();
  await verdict().getByRole('listitem').filter({ hasText: 'Chamada ao serviço' }).getByLabel('falhou').waitFor();
  await testDialog().getByRole('button', { name: 'Fechar' }).first().click();
  await testDialog().waitFor({ state: 'detached' });

  await app.stack.create('/gateway/admin/routes', {
    serviceId,
    origin: '/pedidos-voce/fechado/:id',
    destination: '/fechado/:id',
    methods: ['GET'],
    permission: 'pedidos:ler',
  });
  await button('Testar rota').click();
  await testDialog().getByLabel('Caminho').fill('vendas');
  await submitTest();
  await testDialog().getByText('Informe o caminho: ele começa com /.').waitFor();
  await testDialog().getByLabel('Caminho').fill(`http://api.localhost:${app.stack.port}/pedidos-voce/fechado/é?x=1`);
  await submitTest();
  await verdict().getByText('Recusada com 401.').waitFor();
  await testDialog().getByLabel('Chave de API').fill(String(key));
  await submitTest();
  await verdict().getByText('Recusada com 403.').waitFor();
  const steps = verdict().getByRole('listitem');
  await steps.filter({ hasText: 'Permissão' }).getByLabel('falhou').waitFor();
  await steps.filter({ hasText: 'A chave Alheia' }).getByLabel('passou').waitFor();
  await testDialog().getByLabel('Endereço de quem chama').fill('x');
  await submitTest();
  await testDialog().getByText('Informe um endereço IP').first().waitFor();
  // The typed key is never stored as a draft, so closing the dialog asks no question.
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(String(key));
  await page.keyboard.press('Escape');
  await testDialog().waitFor({ state: 'detached' });
});

test('a rename asks about the routes below the old name, and a deletion warns that it removes the routes', async () => {
  await createPublicRoute();
  await openPath('/gateway/management');
  await button('Editar pedidos-voce').click();
  await dialogField('Nome do Serviço').fill('Vendas');
  // If an extension or a script moves the focus, the dialog neither closes nor asks about the changes.
  await page.locator('main form input').first().focus();
  await page.getByText('O serviço tem 1 rota.').waitFor();
  await page.getByRole('radio', { name: 'Passam para /vendas' }).check();
  await saveAndWait();
  await page.getByRole('tab', { name: 'Rotas' }).click();
  await page.getByRole('row').filter({ hasText: '/vendas/aberto' }).waitFor();

  await openPath('/gateway/management');
  await button('Deletar vendas').click();
  await page
    .getByRole('alertdialog')
    .getByText(/A rota dele também será removida/)
    .waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Deletar' }).click();
  await expectNotice(page, 'Serviço deletado com sucesso!');
  await page.getByText('Nenhum serviço encontrado.').waitFor();
});
