import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { expectNotice, openScreen, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
const app = startConsole({
  failsOnPageErrors: true,
  setUp: async (stack) => {
    for (let number = 1; number <= 40; number += 1) {
      const body = { subdomain: `loja-${number}`, description: `Loja ${number}`, type: 'proxy', port: 4000 + number };
      await stack.create('/subdomains', body);
    }
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
/** Each test begins with the 40 subdomains only. */
beforeEach(async () => {
  const { subdomains } = (await app.stack.request('GET', '/subdomains?limit=100')) as {
    subdomains: { subdomain: string }[];
  };
  for (const { subdomain } of subdomains)
    if (!subdomain.startsWith('loja-')) await app.stack.request('DELETE', `/subdomains/${subdomain}`);
});

const countRows = () => page.getByRole('link', { name: /^loja-\d+\./ }).count();

test('40 subdomains load in 3 requests while the list is scrolled', async () => {
  const requestsSettled = watchNetwork(page);
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.postData()?.includes('query Subdomains')) requestCount += 1;
  });
  await page.goto(`${app.stack.url}/admin`);
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor();
  await waitFor('all 40 rows', async () => {
    await page.mouse.wheel(0, 2_000);
    return (await countRows()) === 40;
  });
  await page.mouse.wheel(0, 4_000);
  await requestsSettled();
  expect(requestCount).toBe(3);
  expect(await button('Carregar mais').count()).toBe(0);
});

test('the next page loads even if IntersectionObserver reports nothing', async () => {
  await page.addInitScript(() => {
    IntersectionObserver.prototype.observe = () => undefined;
  });
  await page.goto(`${app.stack.url}/admin`);
  await page.getByText('15 de 40 subdomínios').waitFor();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByText(/^(30 de )?40 subdomínios$/).waitFor();
});

test('the next page loads by keyboard, and the number of loaded rows changes', async () => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`${app.stack.url}/admin`);
  await page.getByText('15 de 40 subdomínios').waitFor();
  await button('Carregar mais').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^(30 de )?40 subdomínios$/).waitFor();
  await page.getByText('40 subdomínios', { exact: true }).or(button('Carregar mais')).first().waitFor();
});

test('the search is kept in the URL, and / focuses its field', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type('loja-17');
  await page.getByRole('link', { name: /^loja-17\./ }).waitFor();
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.searchParams.get('q') === 'loja-17');
  await page.reload();
  await page.getByRole('link', { name: /^loja-17\./ }).waitFor();
  expect(await countRows()).toBe(1);
});

test('the list is filtered by state, and the filter is kept in the URL', async () => {
  await app.stack.create('/subdomains', {
    subdomain: 'parada',
    description: 'Parada',
    type: 'proxy',
    port: 4900,
    paused: true,
  });
  await page.goto(`${app.stack.url}/admin`);
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor();
  await page.getByLabel('Filtrar por estado').selectOption('Pausados');
  await page.getByText('1 subdomínio').waitFor();
  await page.reload();
  await page.getByRole('link', { name: /^parada\./ }).waitFor();
  expect(await countRows()).toBe(0);
  await page.getByLabel('Filtrar por estado').selectOption('Fora do ar');
  await page.getByText('Nada encontrado com este filtro.').waitFor();
  await button('Limpar filtro').click();
  await page.getByRole('link', { name: /^loja-40\./ }).waitFor();
});

test('the wizard copies the description, goes back, and shows errors for missing and taken values', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByLabel('O que este serviço faz?').fill('Agenda de consultas');
  await button('Manualmente').click();
  await page.getByRole('heading', { name: 'Configuração' }).waitFor();
  const description = page.getByRole('textbox', { name: 'Descrição' });
  expect(await description.inputValue()).toBe('Agenda de consultas');
  await button('Voltar').click();
  expect(await page.getByLabel('O que este serviço faz?').inputValue()).toBe('Agenda de consultas');
  await button('Manualmente').click();
  await button('Criar subdomínio').click();
  await page.getByText('Subdomínio e descrição são obrigatórios.').first().waitFor();
  const name = page.getByRole('textbox', { name: 'Subdomínio', exact: true });
  await name.fill('loja-1');
  await page.getByLabel('Porta', { exact: true }).fill('4500');
  await button('Criar subdomínio').click();
  await page.getByText('O subdomínio loja-1 já está em uso.').first().waitFor();
  expect(await description.inputValue()).toBe('Agenda de consultas');
  await name.fill('agenda');
  await description.fill('a'.repeat(501));
  await button('Criar subdomínio').click();
  await page.getByText('A descrição pode ter no máximo 500 caracteres.').waitFor();
  await description.fill('Agenda de consultas');
  await button('Criar subdomínio').click();
  await expectNotice(page, 'Subdomínio criado com sucesso!');
  await page.getByRole('heading', { name: 'Descreva seu Novo Serviço' }).waitFor();
  expect(await page.getByLabel('O que este serviço faz?').inputValue()).toBe('');
  await page.getByRole('link', { name: /^agenda\./ }).waitFor();
});

test('a description that is too long for a suggestion is kept, and an error names the limit', async () => {
  await page.goto(`${app.stack.url}/admin`);
  const prompt = page.getByLabel('O que este serviço faz?');
  await prompt.fill('a'.repeat(501));
  await button('Gerar com IA').click();
  await page.getByRole('alert').getByText('A descrição pode ter no máximo 500 caracteres.').waitFor();
  expect(await prompt.inputValue()).toHaveLength(501);
});

test('a description typed in step 2 is kept when step 1 has none to copy', async () => {
  await page.goto(`${app.stack.url}/admin`);
  const description = page.getByRole('textbox', { name: 'Descrição' });
  await button('Manualmente').click();
  await description.fill('Site da padaria');
  await button('Voltar').click();
  await button('Manualmente').click();
  expect(await description.inputValue()).toBe('Site da padaria');
});

test('a restored draft opens the step of the wizard in which the draft was typed', async () => {
  page.on('dialog', (question) => void question.accept());
  const revisit = async () => {
    await page.goto(`${app.stack.url}/tenants`);
    await page.goto(`${app.stack.url}/admin`);
    await page.getByText('O que você tinha digitado está de volta.').waitFor();
  };
  const prompt = page.getByLabel('O que este serviço faz?');
  const name = page.getByRole('textbox', { name: 'Subdomínio', exact: true });
  await page.goto(`${app.stack.url}/admin`);
  await prompt.fill('Site da padaria');
  await revisit();
  expect(await prompt.inputValue()).toBe('Site da padaria');
  await button('Manualmente').click();
  await name.fill('padaria');
  await revisit();
  await page.getByRole('heading', { name: 'Configuração' }).waitFor();
  expect(await name.inputValue()).toBe('padaria');
  await button('Descartar rascunho').click();
  await page.getByRole('heading', { name: 'Descreva seu Novo Serviço' }).waitFor();
});

test('a subdomain is edited in a dialog, and errors are shown at their fields', async () => {
  await app.stack.create('/subdomains', { subdomain: 'editada', description: 'Editada', type: 'proxy', port: 4100 });
  await page.goto(`${app.stack.url}/admin?editar=editada`);
  await page.getByRole('dialog', { name: 'Editar subdomínio' }).waitFor();
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Subdomínio', exact: true });
  expect([await name.inputValue(), await name.getAttribute('readonly')]).toEqual(['editada', '']);
  const port = page.getByRole('dialog').getByLabel('Porta', { exact: true });
  expect(await port.inputValue()).toBe('4100');
  await port.fill('');
  await button('Salvar').click();
  await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor();
  await page.getByRole('dialog').getByRole('radio', { name: 'Túnel' }).check();
  await page.getByLabel('Host de destino').fill('https://app.exemplo.com.br:8080/painel');
  await page.getByLabel('Host de destino').blur();
  expect(await page.getByLabel('Host de destino').inputValue()).toBe('app.exemplo.com.br');
  expect(await page.getByLabel('Porta de destino').inputValue()).toBe('8080');
  await button('Salvar').click();
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const expectedFields = {
    subdomain: 'editada',
    type: 'tunnel',
    port: null,
    targetHost: 'app.exemplo.com.br',
    targetPort: 8080,
  };
  expect(await app.stack.request('GET', '/subdomains?search=editada&limit=100')).toMatchObject({
    subdomains: expect.arrayContaining([expect.objectContaining(expectedFields)]),
  });

  await button('Editar loja-40').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Descrição' }).fill('A mais nova');
  await button('Salvar').click();
  await page.getByRole('cell', { name: 'A mais nova', exact: true }).waitFor();
});

test('a URL pasted as the host of a tunnel fills in an empty port and keeps a typed port, also on Enter', async () => {
  await app.stack.create('/subdomains', { subdomain: 'colado', description: 'Colado', type: 'proxy', port: 4900 });
  await page.goto(`${app.stack.url}/admin?editar=colado`);
  await page.getByRole('dialog').getByRole('radio', { name: 'Túnel' }).check();
  const host = page.getByLabel('Host de destino');
  const port = page.getByLabel('Porta de destino');
  await host.fill('https://painel.exemplo.com.br/');
  await port.focus();
  expect([await host.inputValue(), await port.inputValue()]).toEqual(['painel.exemplo.com.br', '443']);
  await port.fill('8443');
  await host.fill('http://outro.exemplo.com.br:8080/entrar');
  await host.press('Enter');
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  expect(await app.stack.request('GET', '/subdomains/colado')).toMatchObject({
    type: 'tunnel',
    targetHost: 'outro.exemplo.com.br',
    targetPort: 8443,
  });
  await page.goto(`${app.stack.url}/admin?editar=colado`);
  await port.fill('');
  await host.fill('https://terceiro.exemplo.com.br:9090');
  await host.press('Enter');
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  expect(await app.stack.request('GET', '/subdomains/colado')).toMatchObject({
    targetHost: 'terceiro.exemplo.com.br',
    targetPort: 9090,
  });
});

test('the dialog of a static site shows and changes whether unknown paths get the start page', async () => {
  const folder = { type: 'static', staticPath: `${app.stack.folder}/sites/estatico` };
  await app.stack.create('/subdomains', { subdomain: 'estatico', description: 'Estático', ...folder });
  await page.goto(`${app.stack.url}/admin?editar=estatico`);
  const fallback = page.getByRole('dialog').getByRole('checkbox', { name: /^Caminho desconhecido mostra index\.html/ });
  await fallback.waitFor();
  expect(await fallback.isChecked()).toBe(true);
  await fallback.uncheck();
  await button('Salvar').click();
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  expect(await app.stack.request('GET', '/subdomains/estatico')).toMatchObject({ spaFallback: false });
});

test('invalid text left in the port field does not block the creation of a static subdomain', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await button('Manualmente').click();
  await page.getByRole('textbox', { name: 'Subdomínio', exact: true }).fill('sem-porta');
  await page.getByRole('textbox', { name: 'Descrição' }).fill('Sem porta');
  await page.getByRole('radio', { name: 'Proxy' }).check();
  await page.getByRole('spinbutton').click();
  await page.keyboard.type('80e');
  await page.getByRole('radio', { name: 'Estático' }).check();
  await button(`${app.stack.folder}/sites`).click();
  await button('Criar subdomínio').click();
  await expectNotice(page, 'Subdomínio criado com sucesso!');
});

test('the field of a static path lists the allowed folders and creates a new folder; a failed test marks the field', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByLabel('O que este serviço faz?').fill('Site da casa');
  await button('Manualmente').click();
  await page.getByRole('radio', { name: 'Estático' }).check();
  const path = page.getByRole('textbox', { name: 'Caminho dos Arquivos Estáticos' });
  await button(`${app.stack.folder}/sites`).click();
  // Choosing a folder leaves the cursor at the end of the path.
  await page.keyboard.type('nova');
  expect(await path.inputValue()).toBe(`${app.stack.folder}/sites/nova`);
  await button('Testar conexão').click();
  await page.locator('[aria-invalid="true"]').waitFor();
  expect(await path.getAttribute('aria-invalid')).toBe('true');
  await button('Criar esta pasta').click();
  await page.getByText('A pasta existe.', { exact: true }).waitFor();
  await button('Testar conexão').click();
  await page.getByText(/A pasta existe e pode ser lida\./).waitFor();
  await page.getByText(/^Página inicial: A pasta não tem index\.html: visitantes veem 404\./).waitFor();
  await path.fill('/etc/nova');
  await button('Testar conexão').click();
  await page.getByText('Informe um caminho absoluto dentro das pastas permitidas.').waitFor();
  expect(await path.getAttribute('aria-invalid')).toBe('true');
});

test('a folder without index.html is reported after the save, in the list and on the page of the subdomain', async () => {
  const staticPath = `${app.stack.folder}/sites/vazia`;
  mkdirSync(staticPath, { recursive: true });
  await app.stack.create('/subdomains', { subdomain: 'vazia', description: 'Vazia', type: 'static', staticPath });
  await page.goto(`${app.stack.url}/admin?editar=vazia`);
  await page.getByRole('dialog').getByRole('textbox', { name: 'Descrição' }).fill('Ainda vazia');
  await button('Salvar').click();
  await expectNotice(page, 'A pasta não tem index.html: visitantes veem 404.');
  await page
    .getByRole('table')
    .getByText(/^A pasta não tem index\.html: visitantes veem 404\. · verificado/)
    .waitFor();
  await page.goto(`${app.stack.url}/admin/subdomains/vazia`);
  await page.getByText(/^A pasta não tem index\.html: visitantes veem 404\. · verificado/).waitFor();
  writeFileSync(`${staticPath}/index.html`, 'Olá');
  await button('Verificar vazia agora').click();
  await page.getByText(/^A pasta não tem index\.html/).waitFor({ state: 'detached' });
});

test('the steps of the wizard are animated, except with reduced motion', async () => {
  await page.addInitScript(() => {
    const animate = Element.prototype.animate;
    Object.assign(window, { animationCount: 0 });
    Element.prototype.animate = function (...args) {
      Object.assign(window, { animationCount: Number(Reflect.get(window, 'animationCount')) + 1 });
      return animate.apply(this, args);
    };
  });
  const countAnimations = () => page.evaluate(() => Number(Reflect.get(window, 'animationCount')));
  const openAndCloseWizard = async () => {
    await button('Manualmente').click();
    await button('Voltar').click();
  };
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`${app.stack.url}/admin`);
  await waitFor('an animated step', async () => {
    await openAndCloseWizard();
    return (await countAnimations()) > 0;
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const countBefore = await countAnimations();
  await openAndCloseWizard();
  await button('Manualmente').waitFor();
  expect(await countAnimations()).toBe(countBefore);
});

test('the chosen theme is kept, and an unknown stored theme is shown as light', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await button('Alternar tema claro e escuro').click();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
  await page.reload();
  const readColorScheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await readColorScheme()).toBe('dark');
  await page.evaluate(() => localStorage.setItem('theme', 'purple'));
  await page.reload();
  expect(await readColorScheme()).toBe('light');
});

test('on a phone lists are shown as cards, and the menu closes after a navigation', async () => {
  const requestsSettled = watchNetwork(page);
  await page.setViewportSize({ width: 360, height: 900 });
  for (const path of [
    '/admin',
    '/tenants',
    '/projects',
    '/gateway/keys',
    '/gateway/management',
    '/gateway/metrics',
    '/settings',
  ]) {
    await openScreen(page, app.stack.url + path);
    await requestsSettled();
    expect([path, await page.getByRole('table').count()]).toEqual([path, 0]);
  }
  await page.locator('summary[aria-label="Menu"]').click();
  expect(await page.getByRole('link').filter({ hasText: 'Gateway' }).allInnerTexts()).toEqual([
    expect.stringContaining('Gerenciamento'),
    expect.stringContaining('API Keys'),
    expect.stringContaining('Métricas'),
  ]);
  await page.getByRole('link', { name: 'Tenants' }).click();
  await page.waitForURL('**/tenants');
  await page.locator('header details[open]').waitFor({ state: 'detached' });
});
