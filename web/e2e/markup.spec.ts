import type { Browser, Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { Stack } from '../../scripts/testing/stack';
import { launchBrowser, openPage, openScreen, watchNetwork } from './support/browser';
import { resolveUrl, SCREENS } from './support/screens';

/** A text that runs a script if a page inserts it as markup, also within an attribute. */
const MARKUP = `"'><img src=x onerror=ran=1><script>ran=1</script>`;

let stack: Stack;
let browser: Browser;
let page: Page;
let pageErrors: string[];
let requestsSettled: () => Promise<void>;

beforeAll(async () => {
  stack = await Stack.start();
  await storeMarkup();
  browser = await launchBrowser();
  ({ page, pageErrors } = await openPage(browser, stack, { token: await stack.logIn() }));
  requestsSettled = watchNetwork(page);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Stores the text in each kind of entity that has a field for free text. */
async function storeMarkup(): Promise<void> {
  const project = await stack.create('/projects', { name: MARKUP, dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  const tenant = await stack.create('/tenants', {
    name: MARKUP,
    project: project._id,
    subdomain: 'padaria',
    dbName: 'padaria',
    responsibleName: MARKUP,
  });
  await stack.create('/subdomains', { subdomain: 'loja', description: MARKUP, type: 'proxy', port: 4000 });
  const service = await stack.create('/gateway/admin/services', { name: 'erp', host: 'http://127.0.0.1:1' });
  await stack.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/itens/:id',
    destination: '/itens/:id',
    methods: ['GET'],
    permission: 'itens:ler',
    description: MARKUP,
  });
  await stack.create('/gateway/admin/keys', { name: MARKUP, permissions: ['*'] });
  await stack.create('/contact', { name: MARKUP, email: 'ana@exemplo.com.br', contactInfo: MARKUP, message: MARKUP });
  await stack.create('/alert-channels', { name: MARKUP, type: 'webhook', url: 'http://127.0.0.1:9/' });
  const subject = { type: 'tenant', id: tenant._id };
  const [startsAt, endsAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  await stack.create('/tokens', { name: MARKUP, scopes: ['tenants:read'], expiresAt: endsAt });
  await stack.create('/mutes', { subject, until: endsAt, reason: MARKUP });
  await stack.create('/maintenance-windows', { title: MARKUP, subjects: [subject], startsAt, endsAt });
}

/** Whether the page or one of its fields shows the text literally. */
const isShownAsText = () =>
  page.evaluate(
    (text) =>
      document.body.innerText.includes(text) ||
      [...document.querySelectorAll('input, textarea')].some((field) => 'value' in field && field.value === text),
    MARKUP,
  );

async function expectNoMarkup(): Promise<void> {
  expect(await page.evaluate(() => [document.querySelector('img[src="x"]') === null, 'ran' in window])).toEqual([
    true,
    false,
  ]);
  // A script that the content security policy blocked would be an error in the browser's console.
  expect(pageErrors).toEqual([]);
}

test('markup in stored texts stays text on every screen', async () => {
  const screensWithText: string[] = [];
  for (const screen of SCREENS) {
    await openScreen(page, await resolveUrl(screen, stack));
    await requestsSettled();
    if (await isShownAsText()) screensWithText.push(screen);
    await expectNoMarkup();
  }
  expect(screensWithText.length).toBeGreaterThan(SCREENS.length / 2); // Else the test would prove little.
});

test('markup in a URL stays text', async () => {
  const parameters = new URLSearchParams(['q', 'aba', 'tab', 'token', 'permissao'].map((name) => [name, MARKUP]));
  for (const path of [
    '/tenants',
    '/projects',
    '/admin',
    '/gateway/keys',
    '/settings',
    '/contact',
    '/login',
    '/setup',
  ]) {
    await page.goto(`${stack.url}${path}?${parameters}#${encodeURIComponent(MARKUP)}`);
    await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
    await requestsSettled();
    await expectNoMarkup();
  }
});

test('markup in the palette stays text', async () => {
  await page.goto(`${stack.url}/admin`);
  await requestsSettled();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('img');
  await waitFor('a match', isShownAsText);
  await expectNoMarkup();
});
