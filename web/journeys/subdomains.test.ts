import type { Browser, Page } from 'playwright-core';
import { until } from '../../scripts/testing/program';
import { Stack } from '../../scripts/testing/stack';
import { launch, notified, open, watchNetwork } from './browser';

let stack: Stack;
let browser: Browser;
let page: Page;
let troubles: string[];
let networkRests: () => Promise<void>;

beforeAll(async () => {
  stack = await Stack.start();
  browser = await launch();
  for (let number = 1; number <= 40; number += 1) {
    const body = { subdomain: `loja-${number}`, description: `Loja ${number}`, type: 'proxy', port: 4000 + number };
    await stack.create('/subdomains', body);
  }
  ({ page, troubles } = await open(browser, stack, { token: await stack.logIn() }));
  networkRests = watchNetwork(page);
});
beforeEach(() => {
  troubles.length = 0;
});
afterEach(() => expect(troubles).toEqual([]));
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const rows = () => page.getByRole('link', { name: /^loja-\d+\./ }).count();

test('40 subdomains come in 3 requests, by scrolling or by the button, and no more (10)', async () => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.postData()?.includes('query Subdomains')) asked += 1;
  });
  await page.goto(`${stack.url}/admin`);
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor();
  await until('all 40 rows', async () => {
    await page.mouse.wheel(0, 2_000);
    return (await rows()) === 40;
  });
  await page.mouse.wheel(0, 4_000);
  await networkRests();
  expect(asked).toBe(3);
  expect(await button('Carregar mais').count()).toBe(0);
});

test('the rest comes where the browser never tells that the end came near', async () => {
  const { page: silent } = await open(browser, stack, { token: await stack.logIn() });
  await silent.addInitScript(() => {
    IntersectionObserver.prototype.observe = () => undefined;
  });
  await silent.goto(`${stack.url}/admin`);
  await silent.getByText('15 de 40 carregados').waitFor();
  await silent.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await silent.getByText(/^(30|40) de 40 carregados$/).waitFor();
  await silent.context().close();
});

test('the rest comes by keyboard too, and is announced (10)', async () => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`${stack.url}/admin`);
  await page.getByText('15 de 40 carregados').waitFor();
  await button('Carregar mais').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^(30|40) de 40 carregados$/).waitFor();
  await page.getByText('40 de 40 carregados').or(button('Carregar mais')).first().waitFor();
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('search keeps its word in the address, and / reaches it (9)', async () => {
  await page.goto(`${stack.url}/admin`);
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type('loja-17');
  await page.getByRole('link', { name: /^loja-17\./ }).waitFor();
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor({ state: 'detached' });
  await page.waitForURL((address) => address.searchParams.get('q') === 'loja-17');
  await page.reload();
  await page.getByRole('link', { name: /^loja-17\./ }).waitFor();
  expect(await rows()).toBe(1);
});

test('the wizard copies the description, goes back, and says what is missing and what is taken (7, 8, 9)', async () => {
  await page.goto(`${stack.url}/admin`);
  await page.getByLabel('O que este serviço faz?').fill('Agenda de consultas');
  await button('Manualmente').click();
  await page.getByRole('heading', { name: 'Configuração' }).waitFor();
  const description = page.getByRole('textbox', { name: 'Descrição' });
  expect(await description.inputValue()).toBe('Agenda de consultas');
  await button('Voltar').click();
  expect(await page.getByLabel('O que este serviço faz?').inputValue()).toBe('Agenda de consultas');
  await button('Manualmente').click();
  await button('Criar Subdomínio').click();
  await page.getByText('Subdomínio e descrição são obrigatórios.').first().waitFor();
  const name = page.getByRole('textbox', { name: 'Subdomínio', exact: true });
  await name.fill('loja-1');
  await page.getByLabel('Porta', { exact: true }).fill('4500');
  await button('Criar Subdomínio').click();
  await page.getByText('O subdomínio loja-1 já está em uso.').first().waitFor();
  expect(await description.inputValue()).toBe('Agenda de consultas');
  await name.fill('agenda');
  await button('Criar Subdomínio').click();
  await notified(page, 'Subdomínio criado com sucesso!');
  await page.getByRole('heading', { name: 'Descreva seu Novo Serviço' }).waitFor();
  expect(await page.getByLabel('O que este serviço faz?').inputValue()).toBe('');
  await page.getByRole('link', { name: /^agenda\./ }).waitFor();
});

test('a subdomain is edited where it stands; what is wrong is said at its field', async () => {
  await page.goto(`${stack.url}/admin?editar=loja-2`);
  await page.getByRole('dialog', { name: 'Editar Subdomínio' }).waitFor();
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Subdomínio', exact: true });
  expect([await name.inputValue(), await name.getAttribute('readonly')]).toEqual(['loja-2', '']);
  const port = page.getByRole('dialog').getByLabel('Porta', { exact: true });
  expect(await port.inputValue()).toBe('4002');
  await port.fill('');
  await button('Salvar').click();
  await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor();
  await page.getByRole('dialog').getByRole('radio', { name: 'Túnel' }).check();
  await page.getByLabel('Host de destino').fill('app.exemplo.com.br');
  await page.getByLabel('Porta de destino').fill('8080');
  await button('Salvar').click();
  await notified(page, 'Subdomínio salvo com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const changed = {
    subdomain: 'loja-2',
    type: 'tunnel',
    port: null,
    targetHost: 'app.exemplo.com.br',
    targetPort: 8080,
  };
  expect(await stack.call('GET', '/subdomains?search=loja-2&limit=100')).toMatchObject({
    subdomains: expect.arrayContaining([expect.objectContaining(changed)]),
  });

  await button('Editar loja-40').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Descrição' }).fill('A mais nova');
  await button('Salvar').click();
  await page.getByRole('cell', { name: 'A mais nova', exact: true }).waitFor();
});

test('the theme stays, and any other stored word is light (6)', async () => {
  await page.goto(`${stack.url}/admin`);
  await button('Alternar tema claro e escuro').click();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
  await page.reload();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await scheme()).toBe('dark');
  await page.evaluate(() => localStorage.setItem('theme', 'purple'));
  await page.reload();
  expect(await scheme()).toBe('light');
});

test('on a phone the list is cards, the menu opens, and nothing is wider than the screen', async () => {
  const phone = await open(browser, stack, {
    width: 360,
    token: await stack.logIn(),
  });
  const phoneRests = watchNetwork(phone.page);
  for (const path of [
    '/admin',
    '/tenants',
    '/projects',
    '/gateway/keys',
    '/gateway/management',
    '/gateway/metrics',
    '/settings',
  ]) {
    await phone.page.goto(stack.url + path);
    await phone.page.getByRole('heading', { level: 1 }).waitFor();
    await phoneRests();
    const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    expect([path, width]).toEqual([path, 360]);
    expect(await phone.page.getByRole('table').count()).toBe(0);
  }
  await phone.page.locator('summary[aria-label="Menu"]').click();
  await phone.page.getByRole('link', { name: 'Tenants' }).click();
  await phone.page.waitForURL('**/tenants');
  expect(phone.troubles).toEqual([]);
});
