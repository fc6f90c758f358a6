import type { Page, Route } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { expectNotice, waitForIdle } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { holdOperation } from './support/graph';

/** One row more than the longest list that is read in one request. */
const ROWS = 2_001;
const seedCounts = { subdomains: 1, projects: 3, tenants: ROWS, services: 2, routes: ROWS, keys: ROWS, messages: 1 };

interface Tenant {
  _id: string;
  name: string;
  subdomain: string;
}

let page: Page;
let tenants: Tenant[];
const { button } = controls(() => page);
const app = startConsole({
  seed: Object.entries(seedCounts).flatMap(([name, amount]) => [`--${name}`, String(amount)]),
  setUp: async (stack) => {
    tenants = (await stack.request('GET', '/tenants')) as Tenant[];
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

const openPath = (path: string) => page.goto(app.stack.url + path);
const searchField = () => page.getByRole('searchbox').first();
const waitForRowCount = (rows: number) =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${rows} (tenants|chaves|rotas)$`) })
    .first()
    .waitFor();
const getTenant = (index: number): Tenant => {
  const tenant = tenants.at(index);
  if (!tenant) throw new Error(`no tenant at ${index}`);
  return tenant;
};
/** Gives the page the time in which it would repeat a failed call: five idle periods. */
async function waitForFurtherCalls(): Promise<void> {
  for (let period = 0; period < 5; period += 1) await waitForIdle(page);
}
/** Locates a row, which is mounted only if it is loaded and near the window. @param index from 0, without the header */
const locateRow = (index: number) => page.locator(`[aria-rowindex="${index + 2}"]`);
/** Reads the index of the first row that is visible in the window. */
const readFirstRowInView = () =>
  page
    .locator('[aria-rowindex]')
    .evaluateAll((rows) => rows.find((row) => row.getBoundingClientRect().top > 0)?.getAttribute('aria-rowindex'));
/** Scrolls to the end of the loaded rows and waits for the next row. */
async function scrollToNextPage(loadedRows: number): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await locateRow(loadedRows).waitFor();
}
const locateLink = ({ subdomain }: Tenant) => page.getByRole('link', { name: subdomain, exact: false }).first();

/** Collects the row counts of responses with rows. @param rowPattern global pattern that matches each row once */
function collectRowCounts(rowPattern: RegExp): number[] {
  const counts: number[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/graphql')) return;
    const text = await response.text().catch(() => ''); // A navigation discards the texts of responses.
    const rowCount = text.match(rowPattern)?.length ?? 0;
    if (rowCount > 0) counts.push(rowCount);
  });
  return counts;
}

test('a screen sends each of its queries once', async () => {
  const sentQueries: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) sentQueries.push(request.postDataJSON().operationName);
  });
  for (const [path, queries] of Object.entries({
    '/admin': ['Overview', 'Subdomains'],
    '/tenants': ['Tenants'],
    '/gateway/keys': ['ApiKeys'],
    '/gateway/management?tab=rotas': ['GatewayRoutes'],
  })) {
    sentQueries.length = 0;
    await openPath(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const expected = ['Access', ...queries];
    expect(sentQueries.filter((name) => expected.includes(name)).sort()).toEqual(expected);
  }
});

test('scrolling down a long list of tenants requests each page once', async () => {
  const counts = collectRowCounts(/"dbName":/g);
  await openPath('/tenants');
  await waitForRowCount(ROWS);
  await locateLink(getTenant(0)).waitFor();
  for (const rows of [100, 200]) await scrollToNextPage(rows);
  // The rows of a response may be shown before the test has read its text.
  await waitFor('the text of the third response', async () => counts.length >= 3);
  expect(counts).toEqual([100, 100, 100]);
});

test('a page of rows that failed to load is requested again only with the button', async () => {
  await openPath('/tenants');
  await locateLink(getTenant(0)).waitFor();
  let failedCallCount = 0;
  const failNextPage = (route: Route) => {
    if (!route.request().postDataJSON().variables.after) return route.fallback();
    failedCallCount += 1;
    return route.fulfill({ status: 503 });
  };
  await page.route('**/graphql', failNextPage);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expectNotice(page, 'Erro ao carregar dados');
  await button('Carregar mais').and(page.locator(':not([aria-busy])')).waitFor();
  await waitForFurtherCalls();
  expect(failedCallCount).toBe(1);
  await page.unroute('**/graphql', failNextPage);
  await button('Carregar mais').click();
  await locateRow(100).waitFor();
});

test('a long list that is opened again still has the measured heights of its loaded rows', async () => {
  const list = page.locator('[aria-rowcount]');
  const readHeightPx = () => list.evaluate((table: HTMLElement) => table.offsetHeight);
  await openPath('/tenants');
  await locateLink(getTenant(0)).waitFor();
  for (const rows of [100, 200]) await scrollToNextPage(rows);
  await page.evaluate(() => window.scrollTo(0, 0));
  await locateLink(getTenant(0)).waitFor();
  await waitForIdle(page);
  const heightBefore = await readHeightPx();
  await page.getByRole('link', { name: 'Projetos', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Gerenciador de Projetos' }).waitFor();
  await page.getByRole('link', { name: 'Tenants', exact: true }).first().click();
  await locateLink(getTenant(0)).waitFor();
  expect(await list.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
  // Browsers round half pixels of some rows. With estimated heights the difference would be 2,000 px.
  expect(Math.abs((await readHeightPx()) - heightBefore)).toBeLessThan(100);
});

test('the Back button leads to the row at which the user left a list, even if the list loads slowly', async () => {
  await openPath('/tenants');
  await locateLink(getTenant(0)).waitFor();
  await page.evaluate(() => window.scrollTo(0, 3_000));
  await locateLink(getTenant(0)).waitFor({ state: 'detached' });
  await waitForIdle(page);
  const rowBefore = await readFirstRowInView();
  const { requested, release } = await holdOperation(page, 'Tenants');
  // Playwright's own click would scroll to the link.
  await page
    .locator('a[href="/projects"]')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await page.getByRole('heading', { level: 1, name: 'Gerenciador de Projetos' }).waitFor();
  await page.goBack();
  await requested;
  await page.locator('[data-loading]').waitFor({ state: 'attached' });
  release();
  await page.locator('[data-loading]').waitFor({ state: 'detached' });
  await page.locator('[aria-rowindex]').first().waitFor();
  await waitForIdle(page);
  expect(await readFirstRowInView()).toBe(rowBefore);
});

test('the rows in the window are mounted after content above them has grown', async () => {
  await openPath('/tenants');
  await locateLink(getTenant(0)).waitFor();
  await page.evaluate(() => {
    const content = document.createElement('div');
    content.style.height = '2000px';
    document.querySelector('main')?.prepend(content);
    window.scrollTo(0, 2000);
  });
  await locateLink(getTenant(0)).waitFor();
});

// A transition of the height, even of a millisecond, would end only in the next frame. Until then the rows would be at
// a wrong position, and the window would jump.
test('with reduced motion, the height of rows that are not mounted changes without a transition', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPath('/tenants');
  const heightPx = await page.locator('tr[aria-hidden] > td').evaluate((spacer: HTMLElement) => {
    spacer.style.height = '6000px';
    return spacer.offsetHeight;
  });
  expect(heightPx).toBe(6000);
});

test('a long list is searched, filtered and sorted by the server', async () => {
  const lastTenant = getTenant(-1);
  await openPath('/tenants');
  await waitForRowCount(ROWS);
  await searchField().fill(lastTenant.name.toUpperCase());
  await locateLink(lastTenant).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe(lastTenant.name.toUpperCase());
  await searchField().fill('');
  await waitForRowCount(ROWS);
  const [firstLabel] = tenants.map(({ subdomain }) => subdomain).sort();
  await page.getByRole('columnheader', { name: 'Subdomínio', exact: true }).getByRole('button').click();
  await page.getByRole('row').nth(1).getByText(`${firstLabel}.`).first().waitFor();
  await searchField().fill('nada disso existe');
  await page.getByText('Nada encontrado para “nada disso existe”.').waitFor();
});

test('a search of a long list that is made again is read again', async () => {
  const tenant = getTenant(-2);
  await openPath('/tenants');
  await waitForRowCount(ROWS);
  await searchField().fill(tenant.subdomain);
  await locateLink(tenant).waitFor();
  await searchField().fill('');
  await waitForRowCount(ROWS);
  await app.stack.request('PUT', `/tenants/${tenant._id}`, { name: 'Nome de agora' });
  await searchField().fill(tenant.subdomain);
  await page.getByText('Nome de agora').first().waitFor();
});

test('the URL opens the dialog of a tenant that is on a later page', async () => {
  const lastTenant = getTenant(-1);
  await openPath(`/tenants?editar=${lastTenant._id}`);
  await page.getByRole('dialog').waitFor();
  expect(await page.getByRole('dialog').getByRole('textbox').nth(1).inputValue()).toBe(lastTenant.name);
});

test('the server counts and filters a long list of keys, and a removed key disappears from the list', async () => {
  await openPath('/gateway/keys');
  await waitForRowCount(ROWS);
  const summary = (await app.stack.request('GET', '/gateway/admin/key-summary')) as { usageCount: number };
  await page.getByText(new Intl.NumberFormat('pt-BR').format(summary.usageCount), { exact: true }).waitFor();
  const [key] = (await app.stack.request('GET', '/gateway/admin/keys?status=disabled&limit=1')) as { name: string }[];
  await openPath('/gateway/keys?filtro=disabled');
  await page
    .getByRole('listitem')
    .filter({ hasText: key?.name ?? '' })
    .first()
    .getByRole('button')
    .first()
    .click();
  await button(`Deletar ${key?.name}`).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Deletar' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await openPath('/gateway/keys');
  await waitForRowCount(ROWS - 1);
});

test('a search without a match in a long list of keys shows no form of a new key', async () => {
  const { _id } = await app.stack.create('/gateway/admin/keys', { name: 'Mais uma', permissions: ['*'] });
  try {
    await openPath('/gateway/keys?q=nada+disso+existe');
    await page.getByText('Nada encontrado para “nada disso existe”.').waitFor();
    await button('Nova chave').waitFor();
    expect(await page.getByRole('heading', { name: 'Criar nova chave' }).count()).toBe(0);
  } finally {
    await app.stack.request('DELETE', `/gateway/admin/keys/${_id}`);
  }
});

test('the URL opens the test of a route that is on a later page, even if the route loads slowly', async () => {
  const routes = (await app.stack.request('GET', '/gateway/admin/routes')) as { origin: string; _id: string }[];
  const lastRoute = routes.at(-1);
  const { requested, release } = await holdOperation(page, 'GatewayRoute');
  await openPath(`/gateway/management?tab=rotas&testar=${lastRoute?._id}`);
  await requested;
  await waitForRowCount(ROWS);
  await waitForIdle(page);
  release();
  const path = page.getByRole('dialog').getByRole('textbox').first();
  await path.waitFor();
  // The path has examples instead of the parameters and the wildcard of the origin.
  expect(await path.inputValue()).toContain(lastRoute?.origin.split(/\/[:*]/)[0]);
});

test('routes are found by their origin, and the metrics count every key', async () => {
  await openPath('/gateway/management?tab=rotas');
  await waitForRowCount(ROWS);
  const [route] = (await app.stack.request('GET', '/gateway/admin/routes?sortBy=origin&order=desc&limit=1')) as {
    origin: string;
  }[];
  await searchField().fill(route?.origin ?? '');
  await page
    .getByText(route?.origin ?? '', { exact: true })
    .first()
    .waitFor();
  await openPath('/gateway/metrics');
  const { keys } = (await app.stack.request('GET', '/gateway/admin/key-summary')) as { keys: number };
  // The axis of the chart may have the same number.
  const keyCount = page.getByRole('definition').getByText(new Intl.NumberFormat('pt-BR').format(keys), { exact: true });
  await keyCount.waitFor();
});
