import { createServer, get, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { startDns } from '../../core-api/src/testing/dns';
import { waitFor } from '../../scripts/testing/program';
import { ADMINISTRATOR, Stack } from '../../scripts/testing/stack';
import {
  expectCopied,
  expectNotice,
  launchBrowser,
  login,
  openPage,
  waitForDialogFocus,
  waitForHydration,
} from './support/browser';
import { controls } from './support/controls';
import { createHold } from './support/hold';
import { createUnusedDomain } from './support/unused-domain';

let stack: Stack;
let browser: Browser;
let page: Page;
const { button, field } = controls(() => page);
let pageErrors: string[];
/** A DNS server that knows no name, so that every domain lacks its DNS records. */
let dns: Awaited<ReturnType<typeof startDns>>;
let service: Server;
let serviceUrl = '';
/** The response with the manifest waits for this promise. */
let manifestHold: Promise<void> | undefined;

beforeAll(async () => {
  dns = await startDns({});
  stack = await Stack.start({ environment: { DNS_SERVERS: dns.address } });
  browser = await launchBrowser();
  service = createServer(async (request, response) => {
    await manifestHold;
    response.setHeader('Content-Type', 'application/json');
    if (request.url !== '/manifest') response.statusCode = 404;
    response.end(
      JSON.stringify([
        { method: 'GET', path: '/itens/:id', permission: 'itens:ler' },
        { method: 'POST', path: '/itens' },
      ]),
    );
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  serviceUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
/** Each test begins with an empty installation and a signed-in page. */
beforeEach(async () => {
  for (const list of ['/tenants', '/projects', '/gateway/admin/keys', '/gateway/admin/services'])
    await stack.removeAll(list);
  ({ page, pageErrors } = await openPage(browser, stack, { token: await stack.newSession() }));
});
afterEach(async () => {
  expect(pageErrors).toEqual([]);
  await page.context().close();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  service?.close();
  await dns?.stop();
});

const createProject = () => stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
/** Creates a service with a route. */
async function createService(): Promise<void> {
  const { _id } = await stack.create('/gateway/admin/services', { name: 'estoque', host: serviceUrl });
  const route = { method: 'GET', path: '/itens/:id', permission: 'itens:ler' };
  await stack.create('/gateway/admin/routes/import', { serviceId: _id, routes: [route] });
}
async function createTenant(): Promise<void> {
  const { _id } = await createProject();
  await stack.create('/tenants', { name: 'Padaria do Zé', subdomain: 'padaria', project: _id });
}
/** Opens a page and logs in by the form. `openPage` with a token would restore the token at a load after a logout. */
async function openByLogin(): Promise<void> {
  await page.context().close();
  ({ page, pageErrors } = await openPage(browser, stack));
  await login(page, stack.url);
}
const openPath = (path: string) => page.goto(stack.url + path);
const readWidth = async (role: 'dialog' | 'alertdialog') => (await page.getByRole(role).boundingBox())?.width;

test('an empty installation shows four first steps, each with a link or a button', async () => {
  await openPath('/admin');
  const steps = page.getByRole('region', { name: 'Primeiros passos' });
  await steps.getByRole('link', { name: 'Cadastre um projeto' }).waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(4);
  await button('Criar o primeiro subdomínio').waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  await steps.getByRole('button', { name: 'Publique o primeiro subdomínio' }).click();
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.getByText(/^Sem IA configurada, a sugestão vem das palavras da própria descrição\./).waitFor();
  await button('Criar o primeiro subdomínio').waitFor({ state: 'hidden' });
});

test('a double click on the button of the empty list leaves the focus in the field of the wizard', async () => {
  await openPath('/admin');
  await button('Criar o primeiro subdomínio').dblclick();
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('without a project, the dialog of a new tenant leads to the form of a project', async () => {
  await openPath('/tenants?novo=1');
  await page.getByText('Cadastre um projeto antes de criar tenants.').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Cadastrar um projeto' }).click();
  await page.getByRole('dialog', { name: 'Criar Novo Projeto' }).waitFor();
});

test('the form of a project is 600 px wide and has the fields of the chosen type, and a removal asks first', async () => {
  await openPath('/projects');
  await page.getByText('Nenhum projeto encontrado.').waitFor();
  await button('Novo Projeto').click();
  await page.getByRole('dialog', { name: 'Criar Novo Projeto' }).waitFor();
  expect(await readWidth('dialog')).toBe(600);
  // The first click shows errors, which move the button away from the second click.
  await button('Salvar').dblclick();
  await page.getByText('Preencha este campo.').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
  await field('Nome do Projeto').fill('a'.repeat(101));
  await page.getByLabel('Porta do Serviço (Backend)').fill('4000');
  await button('Salvar').click();
  await page.getByText('O nome pode ter no máximo 100 caracteres.').waitFor();
  await field('Nome do Projeto').fill('CRM');
  await field('Prefixo do Banco de Dados').fill(' agenda__ ');
  await page.getByText('Os bancos dos tenants começam com ele: agenda_nome_do_tenant.').waitFor();
  await field('Prefixo do Banco de Dados').fill(' CRM Padaria ');
  await page.getByText('Os bancos dos tenants começam com ele: crm_nome_do_tenant.').waitFor();
  await field('Prefixo do Banco de Dados').fill('crm__');
  await page.getByRole('radio', { name: 'Estático' }).check();
  await field('Caminho dos Arquivos Estáticos').waitFor();
  await page.getByRole('radio', { name: 'Proxy' }).check();
  await page.getByLabel('Porta do Serviço (Backend)').fill('4000');
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'CRM' }).getByText('Porta 4000', { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Novo Projeto');

  await button('Remover CRM').click();
  await page.getByText('Deseja realmente remover o projeto CRM?').waitFor();
  await button('Cancelar').click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
});

test('the form of a tenant derives the database name from the typed name, and a dialog sets its domain', async () => {
  await createProject();
  await openPath('/tenants');
  await page.getByText('Nenhum tenant encontrado.').waitFor();
  await button('Novo Tenant').click();
  await page.getByRole('dialog', { name: 'Criar Novo Tenant' }).waitFor();
  const prefix = page.getByRole('checkbox', { name: 'Usar prefixo do projeto no nome do banco de dados' });
  // The only project is chosen from the start.
  expect(await prefix.isDisabled()).toBe(false);
  const project = page.getByLabel('Projeto', { exact: true });
  await project.selectOption({ label: 'Selecione um projeto' });
  expect(await prefix.isDisabled()).toBe(true);
  await project.selectOption({ label: 'CRM' });
  await field('Nome do Tenant').fill('Padaria do Zé');
  await field('Subdomínio').fill('padaria');
  expect(await field('Nome do banco gerado').inputValue()).toBe('crm_padaria_do_zé');
  await page.getByText('PostgreSQL e MySQL pedem aspas').waitFor();
  await button('Usar crm_padaria_do_ze').dblclick();
  expect(await field('Nome do banco gerado').inputValue()).toBe('crm_padaria_do_ze');
  await button('Usar o nome gerado').click();
  await prefix.uncheck();
  expect(await field('Nome do banco gerado').inputValue()).toBe('padaria_do_zé');
  await button('Salvar').click();
  await expectNotice(page, 'Tenant salvo com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // A list may have thousands of rows, so each row must have few elements.
  expect(await page.locator('tbody tr *').count()).toBeLessThan(30);
  await button('Editar Padaria do Zé').click();
  await page.getByRole('dialog', { name: 'Editar Tenant' }).waitFor();
  expect(await field('Subdomínio').getAttribute('readonly')).not.toBeNull();
  await button('Cancelar').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await button(/Adicionar domínio de Padaria/).click();
  await page.getByRole('dialog', { name: 'Domínio Personalizado' }).waitFor();
  expect(await readWidth('dialog')).toBe(500);
  let callCount = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.postData()?.includes('setTenantDomain')) callCount += 1;
  });
  await button('Salvar e Configurar').click();
  await page.getByText('O campo de domínio não pode estar vazio.').first().waitFor();
  expect(callCount).toBe(0);
  await field('Domínio').fill(createUnusedDomain('padaria'));
  await button('Salvar e Configurar').click();
  await expectNotice(page, 'Domínio configurado com sucesso! A propagação do SSL pode levar alguns minutos.');
  await expectNotice(page, 'Falta SERVER_IP na instalação: não dá para conferir para onde o DNS aponta.');
});

test('without SERVER_IP, the text about missing DNS refers to the server and not to a list of records', async () => {
  const project = await stack.create('/projects', { name: 'Sem IP', dbPrefix: '', type: 'proxy', apiPort: 4000 });
  const tenant = await stack.create('/tenants', { name: 'Sem IP', subdomain: 'sem-ip', project: project._id });
  await stack.request('POST', `/tenants/${tenant._id}/domain`, { domain: createUnusedDomain('sem-ip') });
  await openPath(`/tenants?dominio=${tenant._id}`);
  await page.getByText('O DNS ainda não aponta para este servidor. Aponte o domínio para o IP dele.').first().waitFor();
  expect(await page.getByText('estão abaixo').count()).toBe(0);
});

test('a refused removal shows its reason in the dialog and removes nothing', async () => {
  await createTenant();
  await openPath('/projects');
  await button('Remover CRM').click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Remover' }).click();
  await dialog.getByRole('alert').getByText('O projeto é usado por 1 tenant e não pode ser removido.').waitFor();
  pageErrors.length = 0;
  await button('Cancelar').click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'CRM', exact: true }).waitFor();
});

test('dialogs are in the URL: a reload opens them again, and Back closes them after a question about typed text', async () => {
  await createProject();
  await openPath('/projects');
  await button('Editar CRM').click();
  await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  await page.reload();
  await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  await field('Nome do Projeto').fill('CRM novo');
  await page.goBack();
  await page.getByRole('alertdialog', { name: 'Descartar alterações?' }).waitFor();
  await button('Continuar editando').click();
  expect(await field('Nome do Projeto').inputValue()).toBe('CRM novo');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Descartar alterações?' }).waitFor();
  await button('Descartar').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test('Ctrl+K finds screens and tenants by name; Escape gives the focus back', async () => {
  await createTenant();
  await openPath('/projects');
  await button('Novo Projeto').focus();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Ir para' });
  await palette.waitFor();
  await waitForDialogFocus(page);
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Novo Projeto'));

  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('metricas');
  const metricsOption = palette.getByRole('option', { name: 'Métricas' });
  await metricsOption.waitFor();
  // The result that Enter opens has a mark at its edge.
  expect(await metricsOption.evaluate((option) => getComputedStyle(option).boxShadow)).toContain('inset');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/gateway/metrics');
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('padaria');
  await palette.getByRole('option', { name: /Padaria do Zé/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/tenants\/./);
  await page.getByRole('heading', { level: 1, name: 'Padaria do Zé' }).waitFor();
});

test('the settings are saved', async () => {
  await openPath('/settings');
  await page.getByLabel('Token do Bot do Telegram').fill('123456:ABC-def');
  await field('Chat ID do Telegram').fill('42');
  await button('Salvar Configurações').click();
  await expectNotice(page, 'Configurações salvas com sucesso!');
});

test('a service and its routes are created by their forms and by an import of the manifest', async () => {
  await openPath('/gateway/management');
  await page.getByText('Nenhum serviço encontrado.').waitFor();
  await button('Adicionar Serviço').click();
  await page.getByText('Informe o nome do serviço.').waitFor();
  await field('Nome do Serviço').fill('estoque');
  await field('Host do Serviço').fill(serviceUrl);
  await button('Adicionar Serviço').click();
  await expectNotice(page, 'Serviço criado com sucesso!');
  await page.getByRole('heading', { name: 'Serviços Existentes' }).waitFor();
  const hold = createHold();
  manifestHold = hold.whileHeld;
  await button('Importar Rotas estoque').click();
  await page.getByRole('dialog', { name: 'Importar Rotas de estoque' }).waitFor();
  await page.getByText('Buscando manifesto do serviço...').waitFor();
  hold.release();
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

test('a new key is shown once', async () => {
  await createService();
  await openPath('/gateway/keys');
  await page.getByText('Nenhuma chave de API encontrada.').waitFor();
  await button('Criar chave').click();
  await page.getByText('O nome é obrigatório').waitFor();
  await field('Nome').fill('Aplicativo');
  await page.getByRole('checkbox', { name: 'itens:ler' }).check();
  await button('Criar chave').click();
  const secret = await page.getByLabel('Chave de Aplicativo').inputValue();
  await expectNotice(page, 'Chave de API criada com sucesso!');
  expect(secret).toMatch(/^sk7_[\w-]{43}$/);
  expect(await readWidth('dialog')).toBe(600);
  await page.keyboard.press('Escape');
  await button('Copiar').click();
  await page.getByText('Chave de API copiada!').waitFor();
  await expectCopied(page, secret);
  await button('Já guardei a chave').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const traces = await page.evaluate(
    () => document.documentElement.outerHTML + location.href + JSON.stringify({ ...sessionStorage, ...localStorage }),
  );
  expect(traces).not.toContain(secret);

  await button(/^Aplicativo/).click();
  await page.getByText('Qualquer IP', { exact: true }).waitFor();
  await button('Deletar Aplicativo').click();
  await page.getByRole('alertdialog').waitFor();
  expect(await readWidth('alertdialog')).toBe(500);
  await button('Cancelar').click();
});

test('the metrics show "Nunca" and "-" without requests, and later the most used key first', async () => {
  await createService();
  await stack.create('/gateway/admin/keys', { name: 'Aplicativo', permissions: ['itens:ler'] });
  await page.clock.install();
  await page.goto(`${stack.url}/gateway/metrics`);
  await page.getByRole('heading', { name: 'Métricas de Uso das Chaves de API' }).waitFor();
  await page.getByText('Chave Mais Ativa').waitFor();
  await page.getByRole('cell', { name: 'Nunca' }).waitFor();
  const readCardTexts = async () => (await page.getByRole('definition').allTextContents()).slice(0, 3);
  const details = page.getByRole('table', { name: 'Detalhes por Chave' }).getByRole('row');
  expect(await readCardTexts()).toEqual(['0', '1', '-']);

  const { _id, key } = await stack.create('/gateway/admin/keys', { name: 'Integração', permissions: ['*'] });
  const { port } = new URL(stack.url);
  const callGateway = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: `api.localhost:${port}`, 'X-API-Key': String(key) };
      get({ port, path: '/estoque/itens/1', headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      }).once('error', reject);
    });
  // Until the edge has the key it refuses calls. Then the service responds with 404.
  let acceptedCalls = 0;
  while (acceptedCalls < 3) if ((await callGateway()) === 404) acceptedCalls += 1;
  await waitFor('the count of all three', async () => {
    const keys = (await stack.request('GET', '/gateway/admin/keys')) as { _id: string; usageCount: number }[];
    return keys.some((listedKey) => listedKey._id === _id && listedKey.usageCount === 3);
  });
  // The screen polls every 15 s.
  await page.clock.fastForward(15_000);
  await details.nth(1).getByText('Integração').waitFor();
  // Several keys may have the same name.
  const prefix = `${String(key).slice(0, 12)}…`;
  expect(await details.nth(1).textContent()).toContain(prefix);
  expect(await readCardTexts()).toEqual(['3', '2', 'Integração']);
  expect(await details.nth(2).textContent()).toContain('Aplicativo');
  await page.getByRole('table', { name: 'Por chave', exact: true }).getByRole('row', { name: prefix }).waitFor();
  await stack.create('/gateway/admin/keys', { name: 'Integração', permissions: ['*'] });
  await page.reload();
  await page.getByRole('definition').getByText(prefix).waitFor();
});

test('a notification closes after 4 seconds, or at once by its button', async () => {
  await page.clock.install();
  await page.goto(`${stack.url}/settings`);
  const save = page.getByRole('button', { name: 'Salvar Configurações' });
  const notification = page.getByText('Configurações salvas com sucesso!');
  await save.waitFor();
  // From here on only the test advances the clock of the page.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await save.click();
  await notification.waitFor();
  await page.clock.runFor(3_900);
  expect(await notification.count()).toBe(1);
  await page.clock.runFor(200);
  await notification.waitFor({ state: 'detached' });

  await save.click();
  await notification.hover();
  await page.clock.runFor(60_000);
  expect(await notification.count()).toBe(1);
  await page.getByRole('button', { name: 'Fechar' }).click();
  await notification.waitFor({ state: 'detached' });
});

test('a double click on save creates one row, which is marked as new', async () => {
  await openPath('/projects?novo=1');
  await field('Nome do Projeto').fill('Duplo');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4100');
  await button('Salvar').dblclick();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await page.getByRole('cell', { name: 'Duplo', exact: true }).waitFor();
  expect(await page.getByRole('cell', { name: 'Duplo', exact: true }).count()).toBe(1);
  const markedRow = page.locator('tr[class*="recent"]');
  expect(await markedRow.allTextContents()).toEqual([expect.stringContaining('Duplo')]);
  await page.reload();
  await page.getByRole('cell', { name: 'Duplo', exact: true }).waitFor();
  expect(await markedRow.count()).toBe(0);
});

test('a session that ends in a form leads to the login, and the typed text is kept', async () => {
  await openByLogin();
  await openPath('/projects?novo=1');
  await field('Nome do Projeto').fill('Rascunho');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4200');
  await page.evaluate(() => localStorage.setItem('token', 'vencido'));
  await page.reload();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  pageErrors.length = 0; // The browser itself logs each 401 to the console.
  await waitForHydration(page);
  await field('Usuário').fill(ADMINISTRATOR.username);
  await page.getByLabel('Senha').fill(ADMINISTRATOR.password);
  await button('Entrar').click();
  await page.waitForURL('**/projects?novo=1');
  expect(await field('Nome do Projeto').inputValue()).toBe('Rascunho');
});

test('a logout leads to the login, and so does a screen that needs a token', async () => {
  await openByLogin();
  await openPath('/admin');
  const token = await page.evaluate(() => localStorage.getItem('token'));
  await button('Sair').click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  const headers = { Authorization: `Bearer ${token}` };
  await waitFor('the end of the session', async () => (await fetch(`${stack.url}/api/me`, { headers })).status === 401);
  for (const path of ['/tenants', '/gateway/metrics']) {
    await openPath(path);
    await page.waitForURL('**/login');
  }
});
