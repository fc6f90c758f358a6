/**
 * `npm run bench -- console [--tenants 5000] [--subdomains 10000] [--only phone,keys]`
 *
 * Measures the console in a real browser with large data and compares it with its goals: time from the answer to painted
 * rows, the slowest keystroke in a search, scrolling a list to its end, elements in the page, and the JavaScript of the
 * first load and of each screen. On a slow phone it compares the console with the landing page, and a keystroke with one on an
 * empty page, of the same run; and the largest list through the graph with REST. Exits with 1 if a goal is missed or a section fails. Sections:
 * `tenants`, `subdomains`, `sizes`, `phone`, `keys`, `graph`. The file exceeds 250 lines because all sections share one
 * browser and one stack.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { firstLoad, sizeOf } from '../build-web/first-load.mjs';
import { filesOf, readManifest } from '../build-web/manifest.mjs';
import { requireChromium } from '../chromium.mjs';
import { Stack } from '../testing/harness.mjs';
import { median, table } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    tenants: { type: 'string', default: '5000' },
    subdomains: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '../..');
const client = join(root, 'web/build/client');
if (!existsSync(client)) {
  console.error('build first: npm run build');
  process.exit(1);
}

const seed = ['--tenants', options.tenants, '--subdomains', options.subdomains];
const stack = await Stack.start({ seed });
const origin = stack.url;
const token = await stack.logIn();
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] });

/** Runs before the page's own scripts: records the longest event and the times of answers. */
function watch(signedIn) {
  localStorage.setItem('token', signedIn);
  performance.setResourceTimingBufferSize(10_000);
  window.slowestEvent = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.slowestEvent = Math.max(window.slowestEvent, duration);
  }).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));
  window.painted = () =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  const responses = () =>
    /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource')).filter(({ name }) =>
      name.endsWith('/graphql'),
    );
  window.lastAnswer = () => responses().at(-1)?.responseEnd;
  /** The answer with the rows; those with the choices of a filter are smaller and may arrive earlier. */
  window.largestAnswer = () => responses().sort((a, b) => b.decodedBodySize - a.decodedBodySize)[0]?.responseEnd;
}

async function open(width) {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width, height: 800 } });
  await context.addInitScript(watch, token);
  return context.newPage();
}

const SCREENS = ['/tenants', '/projects', '/settings', '/gateway/keys', '/gateway/management', '/gateway/metrics'];
const rows = [];
const report = (description, value, goal) =>
  rows.push({ what: description, measured: Math.round(value * 10) / 10, goal, met: value <= goal });
const chosen = options.only?.split(',');
/** Runs a section if it was chosen. A failure is reported, and the next section runs. */
async function section(name, measure) {
  if (chosen && !chosen.includes(name)) return;
  try {
    await measure();
  } catch (error) {
    console.error(error);
    rows.push({ what: `${name} failed`, measured: '', goal: Number.NaN, met: false });
  }
}
const elements = (page) => page.evaluate(() => document.querySelectorAll('*').length);

await section('tenants', async () => {
  for (const width of [1280, 360]) {
    const page = await open(width);
    const times = [];
    for (let run = 0; run < 5; run += 1) {
      await page.goto(`${origin}/tenants`, { waitUntil: 'commit' });
      times.push(
        await page.evaluate(async () => {
          while (!document.querySelector('[data-index]')) await window.painted();
          const end = await window.painted();
          return end - window.largestAnswer();
        }),
      );
    }
    report(`${options.tenants} tenants at ${width} px, answer to painted rows, ms`, median(times), 250);
    report(`${options.tenants} tenants at ${width} px, elements in the page`, await elements(page), 600);
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().click();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      window.slowestEvent = 0;
    });
    await page.keyboard.type('academia aurora', { delay: 80 });
    for (let count = 0; count < 8; count += 1) await page.keyboard.press('Backspace', { delay: 80 });
    await page.evaluate(() => window.painted());
    report(
      `search among ${options.tenants} at ${width} px, slowest keystroke, ms`,
      await page.evaluate(() => window.slowestEvent),
      200,
    );
    await page.context().close();
  }
});

await section('subdomains', async () => {
  const page = await open(1280);
  const tools = await page.context().newCDPSession(page);
  const heap = async () => {
    await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  await page.goto(`${origin}/admin`);
  await page.locator('[data-index]').first().waitFor();
  const before = await heap();
  const pages = await page.evaluate(async (total) => {
    const loaded = () =>
      Number(/^(\d+) de/.exec(document.querySelector('section [role=status]')?.textContent ?? '')?.[1]);
    const found = [];
    while (loaded() < total) {
      const known = loaded();
      const startedAt = performance.now();
      while (loaded() === known) {
        if (performance.now() - startedAt > 10_000) throw new Error(`the list stalls at ${known} rows`);
        window.scrollTo(0, document.documentElement.scrollHeight);
        await window.painted();
      }
      found.push((await window.painted()) - window.lastAnswer());
    }
    return found;
  }, Number(options.subdomains));
  const [first, last] = [median(pages.slice(0, 20)), median(pages.slice(-20))];
  report(`${options.subdomains} subdomains: one of the first 20 pages, answer to painted rows, ms`, first, 50);
  report('… one of the last 20 pages, ms', last, 50);
  report('… last to first', last / first, 1.5);
  report('… growth of the heap, MB', (await heap()) - before, 60);
  report('… elements in the page at the end', await elements(page), 1500);
  await page.context().close();
});

await section('sizes', async () => {
  const manifest = await readManifest(client);
  const pages = await firstLoad(client);
  report('first load of /admin, JavaScript gzip, kB', pages['/admin'].scriptKb, 230);
  for (const path of ['/login', '/contact'])
    report(`first load of ${path}, JavaScript gzip, kB`, pages[path].scriptKb, 130);
  const admin = filesOf(manifest, '/admin').scripts;
  for (const path of SCREENS) {
    const beyond = filesOf(manifest, path).scripts.filter((file) => !admin.includes(file));
    report(`${path}, beyond what /admin has loaded, kB`, await sizeOf(client, beyond), 25);
  }
});

/** DevTools' "Slow 4G" and a processor that is four times slower. */
async function slowDown(page, { network = true } = {}) {
  const tools = await page.context().newCDPSession(page);
  const slow4g = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
  if (network) await tools.send('Network.emulateNetworkConditions', slow4g);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/**
 * A cold visit on a slow phone: times of the first paint and of the first rows (if the screen has any), and the requests
 * until then.
 */
async function visitSlowly(path, hasRows) {
  const page = await open(360);
  await slowDown(page);
  await page.goto(origin + path, { waitUntil: 'commit', timeout: 120_000 });
  const found = await page.evaluate(async (waits) => {
    const paint = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    while (paint() === undefined || (waits && !document.querySelector('[data-index]'))) await window.painted();
    const rows = await window.painted();
    const requests = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < rows).length;
    return { paint: paint(), rows, requests: requests + 1 };
  }, hasRows);
  await page.context().close();
  return found;
}

await section('phone', async () => {
  const visits = async (path, hasRows) => {
    const found = [];
    for (let run = 0; run < 3; run += 1) found.push(await visitSlowly(path, hasRows));
    const of = (name) => median(found.map((one) => one[name]));
    return { paint: of('paint'), rows: of('rows'), requests: of('requests') };
  };
  const landing = await visits('/', false);
  report('slow phone, first paint of /, ms', landing.paint, Number.POSITIVE_INFINITY);
  const admin = await visits('/admin', true);
  report('slow phone, first paint of /admin, ms', admin.paint, landing.paint * 1.3);
  report('slow phone, rows of /admin, ms', admin.rows, landing.paint * 3);
  report('slow phone, requests before the rows of /admin', admin.requests, 25);
});

await section('keys', async () => {
  const page = await open(1280);
  await slowDown(page, { network: false });
  /** Duration of the longest event during an action, ms. */
  const slowestOf = async (act) => {
    await page.evaluate(() => {
      window.slowestEvent = 0;
    });
    await act();
    await page.evaluate(() => window.painted().then(window.painted));
    return page.evaluate(() => window.slowestEvent);
  };
  const type = (text) => page.keyboard.type(text, { delay: 120 });
  await page.goto(`${origin}/404`);
  await page.evaluate(() => {
    document.body.innerHTML = '<input>';
  });
  await page.locator('input').click();
  const floor = await slowestOf(() => type('academia aurora'));
  const bound = Math.max(200, 2 * floor);
  report('4x slower, a keystroke on an empty page, ms', floor, Number.POSITIVE_INFINITY);

  await page.goto(`${origin}/tenants`);
  const rows = page.locator('[data-index]');
  await rows.first().waitFor();
  await page.waitForLoadState('networkidle');
  const search = page.getByRole('searchbox');
  await search.click();
  report(`4x slower, typing a search over ${options.tenants}, ms`, await slowestOf(() => type('academia')), bound);
  await page.waitForTimeout(600);
  report('4x slower, clearing it, ms', await slowestOf(() => page.keyboard.press('Escape')), bound);
  await page.waitForTimeout(600);
  const header = page.getByRole('columnheader').getByRole('button').first();
  report('4x slower, sorting, ms', await slowestOf(() => header.click()), bound);
  await page.getByRole('button', { name: 'Novo Tenant' }).click();
  await page.getByLabel('Nome do Tenant').click();
  report('4x slower, typing in a dialog, ms', await slowestOf(() => type('academia')), bound);

  const service = await stack.create('/gateway/admin/services', { name: 'muitas', host: 'http://127.0.0.1:4999' });
  const imported = Array.from({ length: 205 }, (_, index) => ({
    method: 'GET',
    path: `/itens/${index}`,
    permission: `itens-${index}:ler`,
  }));
  await stack.create('/gateway/admin/routes/import', { serviceId: service._id, routes: imported });
  await page.goto(`${origin}/gateway/keys`);
  const group = page.getByRole('group', { name: 'Permissões de muitas' });
  await group.getByRole('button').click();
  const box = page.getByRole('checkbox', { name: 'itens-100:ler' });
  await box.scrollIntoViewIfNeeded();
  report('4x slower, ticking among 205 permissions, ms', await slowestOf(() => box.click()), bound);

  await page.goto(`${origin}/admin`);
  await rows.first().waitFor();
  await page.waitForLoadState('networkidle');
  const manual = page.getByRole('button', { name: 'Manualmente' });
  report('4x slower, Manualmente, ms', await slowestOf(() => manual.click()), bound);
  await page.context().close();
});

await section('graph', async () => {
  // Loads the same list by REST and through the graph.
  const timed = async (send) => {
    const times = [];
    for (let run = 0; run < 7; run += 1) {
      const began = performance.now();
      await (await send()).text();
      times.push(performance.now() - began);
    }
    return median(times.slice(2));
  };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const page = await open(1280);
  const listRequest = page.waitForRequest((request) => request.postData()?.includes('"Tenants"') ?? false);
  await page.goto(`${origin}/tenants`);
  const body = (await listRequest).postData();
  await page.context().close();
  const rest = await timed(() => fetch(`${origin}/api/tenants`, { headers }));
  const graph = await timed(() => fetch(`${origin}/graphql`, { method: 'POST', headers, body }));
  report(`${options.tenants} tenants by REST, ms`, rest, Number.POSITIVE_INFINITY);
  report(`${options.tenants} tenants through the graph, ms`, graph, rest * 1.5);
});

await browser.close();
await stack.stop();
const goalText = (goal) => (Number.isFinite(goal) ? Math.round(goal * 10) / 10 : '');
if (rows.length === 0) throw new Error('no such section');
console.log(table(rows.map(({ met, goal, ...row }) => ({ ...row, goal: goalText(goal), '': met ? '' : 'missed' }))));
process.exit(rows.every(({ met }) => met) ? 0 : 1);
