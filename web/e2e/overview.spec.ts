import type { Page } from 'playwright-core';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
/** The target of `loja`. A target that fails would be shown instead of `Tudo em ordem`. */
let target: RunningServer;
const app = startConsole({
  setUp: async (stack) => {
    target = await listen((_, response) => response.end('ok'));
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: target.port });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
afterAll(() => target?.stop());

const openOverview = () => page.goto(`${app.stack.url}/admin`);
const firstSteps = () => page.getByRole('region', { name: 'Primeiros passos' });

test('the overview expands to the first steps, done or not, and stays expanded', async () => {
  await openOverview();
  const progress = page.getByText('Primeiros passos: 1 de 4');
  await progress.waitFor();
  expect(await page.locator('main details li').count()).toBe(0);
  await progress.click();
  await firstSteps().getByText('feito').waitFor();
  expect(await firstSteps().getByRole('listitem').count()).toBe(4);
  await firstSteps()
    .getByText(/cada cliente de um projeto é um tenant/)
    .waitFor();
  await page.reload();
  await firstSteps().getByRole('link', { name: 'Cadastre um projeto' }).waitFor();
});

test('without problems and with dismissed first steps, the overview cannot expand, even after a reload', async () => {
  await openOverview();
  await page.getByText('Primeiros passos: 1 de 4').click();
  await button('Dispensar').click();
  const overview = page.getByRole('region', { name: 'Visão geral' });
  await overview.getByText('Tudo em ordem').waitFor();
  await page.reload();
  await overview.getByText('Tudo em ordem').waitFor();
  expect(await page.locator('main details').count()).toBe(0);
});

test('the first steps of an operator leave out Telegram, which only an administrator sets up', async () => {
  await app.signInAs('olga', { role: 'operator' });
  await openOverview();
  await page.getByText('Primeiros passos: 1 de 3').waitFor();
});
