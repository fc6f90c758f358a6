import type { Page } from 'playwright-core';
import { expectNotice, waitForDialogFocus, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createHold } from './support/hold';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  onPage: (newPage) => {
    page = newPage;
  },
});

test('without the core a suggestion fails with a message, and the description is kept', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await field('O que este serviço faz?').fill('Agenda de consultas');
  await page.getByText('Nenhum subdomínio encontrado.').waitFor();
  await app.stack.kill('core');
  await button('Gerar com IA').click();
  await page
    .getByRole('alert')
    .getByText(/^Erro ao gerar sugestão\./)
    .waitFor();
  expect(await field('O que este serviço faz?').inputValue()).toBe('Agenda de consultas');
  await button('Manualmente').click();
  expect(await field('Descrição').inputValue()).toBe('Agenda de consultas');
  await app.stack.start('core');
});

test('after a failed save the dialog keeps its text, and a save succeeds once the core is back', async () => {
  await page.goto(`${app.stack.url}/projects?novo=1`);
  await field('Nome do Projeto').fill('Persistente');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4300');
  await app.stack.kill('core');
  await button('Salvar').click();
  await page
    .getByRole('dialog')
    .getByRole('alert')
    .getByText(/Serviço indisponível/)
    .waitFor();
  expect(await field('Nome do Projeto').inputValue()).toBe('Persistente');
  await app.stack.start('core');
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await page.getByRole('cell', { name: 'Persistente', exact: true }).waitFor();

  // A notification over a dialog is visible and announced, and its close button leaves the dialog open.
  const notification = page.getByRole('region', { name: 'Notificações' });
  // The notification stays while the pointer is over it.
  await notification.getByText('Projeto salvo com sucesso!').hover();
  await button('Novo Projeto').press('Enter');
  await page.getByRole('dialog', { name: 'Novo Projeto' }).waitFor();
  await page.waitForFunction(() => document.querySelector('[data-aria-hidden]'));
  await notification.getByText('Projeto salvo com sucesso!').waitFor();
  await notification.getByRole('button', { name: 'Fechar' }).click({ delay: 150 });
  await notification.getByText('Projeto salvo com sucesso!').waitFor({ state: 'detached' });
  await field('Nome do Projeto').fill('Sobreposto');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4303');
  await button('Salvar').click();
  await page.getByRole('cell', { name: 'Sobreposto', exact: true }).waitFor();
});

test('while the account loads, the password form is shown and the other parts are skeletons', async () => {
  const { whileHeld, release } = createHold();
  await page.route('**/graphql', (route) => whileHeld.then(() => route.continue()));
  await page.goto(`${app.stack.url}/settings?aba=conta`);
  await field('Senha atual').waitFor();
  const skeletons = page.getByRole('tabpanel').getByRole('status', { name: 'Carregando' });
  expect(await skeletons.count()).toBe(2);
  release();
  await button('Ativar segundo fator').waitFor();
  await page.getByRole('list', { name: 'Últimos acessos' }).getByRole('listitem').first().waitFor();
  expect(await skeletons.count()).toBe(0);
});

test('on a slow network and machine the screen shows its progress, and a save is sent once', async () => {
  const cdpSession = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 400, downloadThroughput: 150_000, uploadThroughput: 75_000 };
  await cdpSession.send('Network.enable');
  await cdpSession.send('Network.emulateNetworkConditions', conditions);
  await cdpSession.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // The response is held until the test has seen the skeleton, so the result does not depend on timing.
  const { whileHeld, release } = createHold();
  await page.route('**/graphql', (route) => whileHeld.then(() => route.continue()));
  await page.goto(`${app.stack.url}/tenants`, { waitUntil: 'commit' });
  await page.locator('main').getByRole('status', { name: 'Carregando' }).waitFor();
  release();
  await page.getByText('Nenhum tenant encontrado.').waitFor();

  await page.goto(`${app.stack.url}/projects?novo=1`, { waitUntil: 'commit' });
  await field('Nome do Projeto').fill('Devagar');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4301');
  const sentRequests: string[] = [];
  const saveHold = createHold();
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('createProject')) return route.fallback();
    sentRequests.push(route.request().url());
    await saveHold.whileHeld;
    await route.continue();
  });
  await button('Salvar').dblclick();
  await page.locator('button[aria-busy="true"]', { hasText: 'Salvar' }).waitFor();
  saveHold.release();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  expect(sentRequests).toHaveLength(1);
  await page.getByRole('cell', { name: 'Devagar', exact: true }).waitFor();
});

test('offline, the screen shows a notice; a failed save keeps its text, and succeeds when online again', async () => {
  await app.stack.create('/projects', { name: 'Na tela', type: 'proxy', apiPort: 4311 });
  const requestsSettled = watchNetwork(page);
  await page.goto(`${app.stack.url}/projects`);
  await page.getByRole('cell', { name: 'Na tela', exact: true }).waitFor();
  // The screen loads some modules once it is idle. The test needs them without a network.
  await requestsSettled();
  await page.context().setOffline(true);
  await button('Novo Projeto').click();
  await field('Nome do Projeto').fill('Sem rede');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4302');
  await button('Salvar').click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  const offline = page.getByText('Você está sem conexão. O que estiver na tela pode estar desatualizado.');
  await offline.waitFor();
  expect(await field('Nome do Projeto').inputValue()).toBe('Sem rede');
  await page.context().setOffline(false);
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await offline.waitFor({ state: 'detached' });
});

test('the screen shows no offline notice while the server responds, even if the browser reports offline', async () => {
  await app.stack.create('/projects', { name: 'Local', type: 'proxy', apiPort: 4310 });
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
  await page.goto(`${app.stack.url}/projects`);
  await page.getByRole('cell', { name: 'Local', exact: true }).waitFor();
  const probeResponse = page.waitForResponse((response) => response.url().endsWith('/healthz'));
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  expect((await probeResponse).status()).toBe(200);
  await button('Novo Projeto').click();
  await field('Nome do Projeto').fill('Sem internet');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4303');
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  expect(await page.getByText(/^Você está sem conexão/).count()).toBe(0);
});

test("if a dialog's code fails to load, a notification says so, and the next attempt opens the dialog", async () => {
  const requestsSettled = watchNetwork(page);
  const abortFiles = (name: string) => page.route(`**/${name}-*.js`, (route) => route.abort());
  await page.goto(`${app.stack.url}/gateway/keys`);
  await page.getByText('Nenhuma chave de API encontrada.').waitFor();
  await abortFiles('Palette');
  await page.keyboard.press('Control+k');
  await expectNotice(page, /^Não foi possível abrir\./);
  await page.unroute('**/Palette-*.js');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await waitForDialogFocus(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // Escape cancels the palette while its code is still loading.
  await page.reload();
  const { whileHeld, release } = createHold();
  await page.route('**/Palette-*.js', (route) => whileHeld.then(() => route.continue()));
  await page.getByText('Nenhuma chave de API encontrada.').waitFor();
  const paletteRequested = page.waitForRequest('**/Palette-*.js');
  await page.keyboard.press('Control+k');
  await paletteRequested;
  await page.keyboard.press('Escape');
  const paletteLoaded = page.waitForEvent('requestfinished', (request) => request.url().includes('/Palette-'));
  release();
  await paletteLoaded;
  await requestsSettled();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.unroute('**/Palette-*.js');

  // If the code that shows a key fails to load, no key is created.
  await abortFiles('SecretDialogView');
  await field('Nome').fill('Aplicativo');
  await page.getByRole('checkbox').first().check();
  await button('Criar chave').click();
  await expectNotice(page, 'Falha ao criar a chave de API.');
  expect(await field('Nome').inputValue()).toBe('Aplicativo');
  await page.getByText('Nenhuma chave de API encontrada.').waitFor();
  await page.unroute('**/SecretDialogView-*.js');
  await button('Criar chave').click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
});
