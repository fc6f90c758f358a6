import type { Page } from 'playwright-core';
import { openScreen, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { resolveUrl, SCREENS } from './support/screens';

let page: Page;
const { button } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
    await stack.create('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
    const project = await stack.create('/projects', { name: 'CRM', dbPrefix: '', type: 'proxy', apiPort: 4000 });
    await stack.create('/tenants', { name: 'Padaria', subdomain: 'padaria', project: project._id });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

test('every screen has chevrons in summaries, icons in the actions of its header, and no undefined design token', async () => {
  const requestsSettled = watchNetwork(page);
  const deviations: string[] = [];
  for (const screen of SCREENS) {
    await openScreen(page, await resolveUrl(screen, app.stack));
    await requestsSettled();
    const summariesWithoutChevron = await page.locator('main summary:not([data-chevron])').allTextContents();
    const buttonsWithoutIcon = await page.locator('main header button:not(:has(svg))').allTextContents();
    const undefinedTokens = await page.evaluate(() => {
      const text = [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
        .join('');
      // The color palette of a control is set on the control itself.
      const usedTokens = text.match(/(?<=var\()--ui-(colors(?!-color-palette)|fonts|shadows)-[\w-]+/g) ?? [];
      const root = getComputedStyle(document.documentElement);
      return [...new Set(usedTokens)].filter((name) => root.getPropertyValue(name) === '');
    });
    deviations.push(
      ...[...summariesWithoutChevron, ...buttonsWithoutIcon, ...undefinedTokens].map((text) => `${screen}: ${text}`),
    );
  }
  expect(deviations).toEqual([]);
});

test('the focus outline has rounded corners around a link, a column heading and an action', async () => {
  await page.goto(`${app.stack.url}/tenants`);
  const link = page.getByRole('link', { name: 'Padaria', exact: true });
  for (const control of [link, button('Nome'), button('Editar Padaria')]) {
    await control.focus();
    // Browsers show the outline after a key press, not after `focus()` alone.
    await page.keyboard.press('Shift');
    const radius = await control.evaluate((element) => getComputedStyle(element).borderTopLeftRadius);
    expect(Number.parseFloat(radius)).toBeGreaterThan(0);
  }
});

test('the focus outline does not touch the word of a tab', async () => {
  await page.goto(`${app.stack.url}/settings`);
  const tab = page.getByRole('tab').first();
  const spaceBefore = await tab.evaluate((element) => {
    const word = document.createRange();
    word.selectNodeContents(element);
    return word.getBoundingClientRect().left - element.getBoundingClientRect().left;
  });
  expect(spaceBefore).toBeGreaterThanOrEqual(8);
  // The word begins at the same x as the heading of the screen above it.
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect(((await tab.boundingBox())?.x ?? 0) + spaceBefore).toBe(heading?.x);
});

test('a search field is aligned with its list', async () => {
  for (const screen of ['/admin', '/tenants', '/projects']) {
    await openScreen(page, app.stack.url + screen);
    const [search, list] = [page.getByRole('searchbox'), page.getByRole('table')];
    await list.waitFor();
    expect([screen, (await search.boundingBox())?.x]).toEqual([screen, (await list.locator('..').boundingBox())?.x]);
  }
});

test('a list of one page shows the number of its rows, and a search shows how many of them match', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByText('1 subdomínio', { exact: true }).waitFor();
  expect(await page.getByText(/1 de 1/).count()).toBe(0);
  await page.goto(`${app.stack.url}/tenants`);
  await page.getByText('1 tenant', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('nada disso');
  await page.getByText('0 de 1 tenant', { exact: true }).waitFor();
});

test('on an unknown URL the top bar of a signed-in administrator is in the same place as in the console', async () => {
  const bar = page.getByRole('banner');
  for (const width of [1920, 1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const places: (number | undefined)[][] = [];
    for (const path of ['/projects', '/nao-existe']) {
      await page.goto(app.stack.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const controlsOfBar = [
        bar.locator('a').first(),
        bar.getByRole('link', { name: /^Alertas/ }),
        button(/^Alternar tema/),
      ];
      places.push(await Promise.all(controlsOfBar.map(async (control) => (await control.boundingBox())?.x)));
    }
    expect([width, places[1]]).toEqual([width, places[0]]);
  }
});
