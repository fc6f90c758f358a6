import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type CoreDouble, respondWith, startCoreDouble } from './testing/core-double';
import { type RunningServer, startBff } from './testing/servers';

let core: CoreDouble;
let bff: RunningServer;
let browser: Browser;
let page: Page;
const consoleErrors: string[] = [];
const foreignRequests: string[] = [];

beforeAll(async () => {
  if (!existsSync(join(__dirname, '../playground/dist/index.html'))) throw new Error('build the playground first');
  core = await startCoreDouble();
  core.reset(respondWith(200, { _id: '1', username: 'admin' }));
  bff = await startBff(core.url);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  page = await browser.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(bff.url)) foreignRequests.push(request.url());
  });
});

afterAll(async () => {
  await browser.close();
  await bff.stop();
  await core.stop();
});

test('without a token, the playground explains how to get a token', async () => {
  await page.goto(`${bff.url}/playground`);
  await page.getByText('Entre no console para usar o playground').waitFor();
  expect(await page.getByRole('link', { name: 'Entrar' }).getAttribute('href')).toBe('/login');
});

test('with the stored token, the playground loads the schema and runs a query, from its own origin only', async () => {
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
  expect(consoleErrors).toEqual([]);
  expect(foreignRequests).toEqual([]);
});

test("an API token replaces the session's token in the playground until a reload", async () => {
  await page.goto(`${bff.url}/playground`);
  await page.getByLabel('Token de API').fill('stp_de-um-programa');
  const graphResponse = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await page.getByRole('button', { name: 'Usar token' }).click();
  await graphResponse;
  expect(core.lastHeaders().authorization).toBe('Bearer stp_de-um-programa');
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('stp_de-um-programa');
  await page.reload();
  expect(await page.getByLabel('Token de API').inputValue()).toBe('');
});
