import type { Page } from 'playwright-core';
import { waitForDialogFocus, waitForFrames } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { holdOperation } from './support/graph';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    const { _id: project } = await stack.create('/projects', {
      name: 'CRM',
      dbPrefix: 'crm',
      type: 'proxy',
      apiPort: 4000,
    });
    await stack.create('/tenants', { name: 'Padaria do Zé', subdomain: 'padaria', project });
    await stack.create('/subdomains', { subdomain: 'vitrine', description: 'A vitrine', type: 'proxy', port: 4000 });
    await stack.create('/gateway/admin/keys', { name: 'Parceiro', permissions: ['*'] });
  },
  failsOnPageErrors: true,
  onPage: (newPage) => {
    page = newPage;
  },
});

const openPath = (path: string) => page.goto(app.stack.url + path);

test('a navigation moves the focus to the new heading and announces the title', async () => {
  await openPath('/projects');
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const [link, heading] of [
    ['Tenants', 'Gerenciador de Tenants'],
    ['Métricas', 'Métricas de Uso das Chaves de API'],
  ] as const) {
    await page.getByRole('link', { name: link }).first().click();
    await page.waitForFunction(
      (expected) => document.activeElement?.tagName === 'H1' && document.activeElement.textContent === expected,
      heading,
    );
    await page.getByRole('status').getByText(heading).waitFor({ state: 'attached' });
  }
});

test('the links of the top bar do not move while the counts beside them load', async () => {
  const { requested, release } = await holdOperation(page, 'SessionCounts');
  await openPath('/projects');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await requested;
  const link = page.getByRole('link', { name: 'API Keys' }).first();
  const boxBefore = await link.boundingBox();
  const countsResponse = page.waitForResponse(
    (response) => response.request().postData()?.includes('SessionCounts') ?? false,
  );
  release();
  await (await countsResponse).finished();
  await waitForFrames(page);
  expect(await link.boundingBox()).toEqual(boxBefore);
});

test('a closed dialog leaves no history entry at which Back would stop', async () => {
  await openPath('/tenants');
  await page.getByRole('link', { name: 'Projetos' }).first().click();
  for (const buttonName of ['Novo Projeto', 'Editar CRM', 'Remover CRM']) {
    await button(buttonName).click();
    await button('Cancelar').click();
    await page.waitForFunction(() => window.location.search === '');
    await page.locator('[role$="dialog"]').waitFor({ state: 'detached' });
  }
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe('/tenants');
});

test('a double click opens a dialog once, and a double click on Cancel asks once about unsaved changes', async () => {
  await openPath('/tenants');
  await page.getByRole('link', { name: 'Projetos' }).first().click();
  // The clock stands still, so that two clicks count as a double click on a slow machine, too.
  await page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
  });
  for (const buttonName of ['Novo Projeto', 'Editar CRM', 'Remover CRM']) {
    await button(buttonName).click();
    await button('Cancelar').waitFor();
    // As on a fast machine, the dialog is already open and receives the second click.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await button('Cancelar').click();
    await page.waitForFunction(() => window.location.search === '');
    await page.locator('[role$="dialog"]').waitFor({ state: 'detached' });
  }
  await button('Editar CRM').click();
  const url = page.url();
  await field('Nome do Projeto').fill('CRM novo');
  await button('Cancelar').dblclick();
  await button('Continuar editando').click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(page.url()).toBe(url);
  await page.keyboard.press('Escape');
  await button('Descartar').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${app.stack.url}/projects`);
});

test('a late suggestion does not change a screen that was opened after its request', async () => {
  const { requested, release } = await holdOperation(page, 'SuggestSubdomain');
  await openPath('/admin');
  await field('O que este serviço faz?').fill('Agenda de consultas');
  await button('Gerar com IA').click();
  await requested;
  await page.getByRole('link', { name: 'Projetos' }).first().click();
  await button('Descartar').click();
  await page.waitForURL('**/projects');
  await button('Editar CRM').click();
  await page.getByRole('dialog').waitFor();
  const url = page.url();
  const suggestionResponse = page.waitForResponse(
    (response) => response.request().postData()?.includes('SuggestSubdomain') ?? false,
  );
  release();
  await (await suggestionResponse).finished();
  await waitForFrames(page);
  expect(page.url()).toBe(url);
  expect(await page.evaluate(() => window.history.state?.usr?.step)).toBeUndefined(); // React Router's state.
});

test('the palette finds tabs, keys and subdomains by name, and switches the theme', async () => {
  await openPath('/projects');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const chooseOption = async (text: string, option: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(text);
    await page.getByRole('option', { name: option }).first().waitFor();
    await page.getByRole('option', { name: option }).first().click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await chooseOption('mensagens', 'Mensagens');
  await page.waitForURL('**/settings?aba=mensagens');
  await chooseOption('parceiro', 'Parceiro');
  await page.waitForURL('**/gateway/keys?q=Parceiro');
  await chooseOption('vitrine', 'vitrine');
  await page.waitForURL('**/admin/subdomains/vitrine');
  await chooseOption('nova chave', 'Nova chave');
  await page.waitForURL('**/gateway/keys?nova=1');
  await chooseOption('tema', 'Tema');
  await page.waitForFunction(() => document.documentElement.classList.contains('dark'));
});

test('Ctrl+K finds screens and tenants by name; Escape gives the focus back', async () => {
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
