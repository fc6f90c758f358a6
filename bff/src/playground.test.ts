import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type CoreDouble, json, startCoreDouble } from './testing/core-double';
import { type Running, startBff } from './testing/servers';

let core: CoreDouble;
let bff: Running;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
const foreign: string[] = [];

beforeAll(async () => {
  if (!existsSync(join(__dirname, '../playground/dist/index.html'))) throw new Error('build the playground first');
  core = await startCoreDouble();
  core.reset(json(200, { _id: '1', username: 'admin' }));
  bff = await startBff(core.url);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  page = await browser.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(bff.url)) foreign.push(request.url());
  });
});

afterAll(async () => {
  await browser.close();
  await bff.stop();
  await core.stop();
});

test('without a token it says how to get one', async () => {
  await page.goto(`${bff.url}/playground`);
  await page.getByText('Entre no console para usar o playground').waitFor();
  expect(await page.getByRole('link', { name: 'Entrar' }).getAttribute('href')).toBe('/login');
});

test('with the stored token it knows the schema and runs a query, from this origin alone', async () => {
  await page.evaluate("localStorage.setItem('token', 'stored-token')");
  await page.reload();
  await page.locator('.graphiql-query-editor .view-lines').waitFor();
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{ me { username');
  await page.keyboard.press('Control+Enter');
  await page.locator('.result-window').getByText('"admin"').waitFor();
  expect(core.calls).toContain('GET /api/me');
  expect(core.lastHeaders().authorization).toBe('Bearer stored-token');
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.getByText('Mutation', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
});
