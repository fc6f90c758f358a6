import type { Page } from 'playwright-core';
import { watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { addressOf, SCREENS } from './support/screens';

let page: Page;
const app = startConsole({
  fill: async (stack) => {
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
    await stack.create('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
    const project = await stack.create('/projects', { name: 'CRM', dbPrefix: '', type: 'proxy', apiPort: 4000 });
    await stack.create('/tenants', { name: 'Padaria', subdomain: 'padaria', project: project._id });
  },
  onPage: (opened) => {
    page = opened;
  },
});

test('everything that opens in its place wears the same chevron, on every screen', async () => {
  const settled = watchNetwork(page);
  const others: string[] = [];
  for (const screen of SCREENS) {
    await page.goto(await addressOf(screen, app.stack));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled();
    const found = await page.locator('main summary:not([data-chevron])').allTextContents();
    others.push(...found.map((text) => `${screen}: ${text}`));
  }
  expect(others).toEqual([]);
});

test('a search begins where its list begins', async () => {
  for (const screen of ['/admin', '/tenants', '/projects']) {
    await page.goto(app.stack.url + screen);
    const [search, list] = [page.getByRole('searchbox'), page.getByRole('table')];
    await list.waitFor();
    expect([screen, (await search.boundingBox())?.x]).toEqual([screen, (await list.locator('..').boundingBox())?.x]);
  }
});

test('a list of one page names its number, and no part of it', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByText('1 subdomínio', { exact: true }).waitFor();
  expect(await page.getByText(/1 de 1/).count()).toBe(0);
});

test('on an unknown address the bar of a logged-in person stays where the console has it', async () => {
  for (const width of [1920, 1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const marks: (number | undefined)[] = [];
    for (const path of ['/projects', '/nao-existe']) {
      await page.goto(app.stack.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      marks.push((await page.locator('header a').first().boundingBox())?.x);
    }
    expect([width, marks[1]]).toEqual([width, marks[0]]);
  }
});
