import { get } from 'node:http';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 1 });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Requests the site `loja` as a visitor. @returns the status */
const requestStatus = () =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { Host: `loja.localhost:${app.stack.port}` };
    get({ port: app.stack.port, path: '/quebrado', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
const openOverview = () => page.goto(`${app.stack.url}/admin`);

test('all first steps, also the completed steps, are shown until they are dismissed; then the overview has no part to unfold', async () => {
  await openOverview();
  const progress = page.getByText('Primeiros passos: 1 de 4');
  await progress.waitFor();
  expect(await page.locator('main details li').count()).toBe(0);
  await progress.click();
  const steps = page.getByRole('region', { name: 'Primeiros passos' });
  await steps.getByText('feito').waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(4);
  await steps.getByText(/cada cliente de um projeto é um tenant/).waitFor();
  await page.reload();
  await steps.getByRole('link', { name: 'Cadastre um projeto' }).waitFor();
  await button('Dispensar').click();
  const overview = page.getByRole('region', { name: 'Visão geral' });
  await overview.getByText('Tudo em ordem').waitFor();
  await page.reload();
  await overview.getByText('Tudo em ordem').waitFor();
  expect(await page.locator('main details').count()).toBe(0);
});

test('errors of the last hour link to the failed requests of their host', async () => {
  await waitFor('a logged error', async () => {
    expect(await requestStatus()).toBe(502);
    const { faults } = (await app.stack.request('GET', '/overview')) as { faults: number };
    return faults > 0;
  });
  await openOverview();
  await page.getByText('Visão geral', { exact: true }).click();
  await page.locator('details').getByRole('link', { name: 'loja', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: /^Últimas requisições de loja\./ });
  await drawer.getByText('/quebrado').first().waitFor();
  expect(await drawer.getByLabel('Mostrar', { exact: true }).inputValue()).toBe('5xx');
});

test('files that load when the page is idle do not load a stylesheet of the page again', async () => {
  await openOverview();
  const addedLinks = page.locator('link[rel="stylesheet"][crossorigin]');
  await addedLinks.first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const readPaths = (links: Element[]) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname);
  const pagePaths = await page.locator('link[rel="stylesheet"]:not([crossorigin])').evaluateAll(readPaths);
  const addedPaths = await addedLinks.evaluateAll(readPaths);
  expect(addedPaths.filter((path) => pagePaths.includes(path))).toEqual([]);
});

test('the first steps of an operator leave out Telegram, which only an administrator sets up', async () => {
  const operator = await app.openAs('olga', { role: 'operator' });
  await operator.getByText('Primeiros passos: 1 de 3').waitFor();
  await operator.context().close();
});
