/**
 * `npm run bench -- console [--tenants 5000] [--subdomains 10000] [--only phone,keys]`
 *
 * Measures the console in a real browser with large data and compares the figures with goals. Exits with 1 if a goal is
 * missed or a section fails. The sections:
 * - `tenants`: time from the response to painted rows, elements in the page, slowest keystroke in a search
 * - `subdomains`: scrolling a list to its end
 * - `sizes`: kilobytes of JavaScript of the first load and of each screen
 * - `phone`: times of the console on a slow phone, compared with the landing page
 * - `keys`: times of keystrokes, compared with a keystroke on an empty page
 * - `graph`: time of a list through the graph, compared with the same list by REST
 *
 * The file exceeds 250 lines because all sections share one browser and one stack.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { measureFirstLoad, measureSize } from '../build-web/first-load.mjs';
import { listFiles, readManifest } from '../build-web/manifest.mjs';
import { requireChromium } from '../setup/chromium.mjs';
import { Stack } from '../testing/harness.mjs';
import { formatTable, median } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    tenants: { type: 'string', default: '5000' },
    subdomains: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '../..');
const clientFolder = join(root, 'web/build/client');
if (!existsSync(clientFolder)) {
  console.error('build first: npm run build');
  process.exit(1);
}

const seed = ['--tenants', options.tenants, '--subdomains', options.subdomains];
const stack = await Stack.start({ seed });
const origin = stack.url;
const token = await stack.logIn();
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] });

/** Records the longest event and defines the functions of `window.d.ts`. Runs before the page's own scripts. */
function recordTimes(token) {
  localStorage.setItem('token', token);
  performance.setResourceTimingBufferSize(10_000);
  window.slowestEvent = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.slowestEvent = Math.max(window.slowestEvent, duration);
  }).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));
  window.nextPaint = () =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  const listResponses = () =>
    /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource')).filter(({ name }) =>
      name.endsWith('/graphql'),
    );
  window.lastResponseEnd = () => listResponses().at(-1)?.responseEnd;
  // The largest response has the rows. Responses with the choices of a filter are smaller and may arrive earlier.
  window.largestResponseEnd = () =>
    listResponses().sort((a, b) => b.decodedBodySize - a.decodedBodySize)[0]?.responseEnd;
}

async function openPage(width) {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width, height: 800 } });
  await context.addInitScript(recordTimes, token);
  return context.newPage();
}

const SCREENS = ['/tenants', '/projects', '/settings', '/gateway/keys', '/gateway/management', '/gateway/metrics'];
const rows = [];
const report = (description, value, goal) =>
  rows.push({ description, measured: Math.round(value * 10) / 10, goal, isMet: value <= goal });
const chosenSections = options.only?.split(',');
/** Runs a section if it was chosen. A failure is reported, and the next section runs. */
async function runSection(name, measure) {
  if (chosenSections && !chosenSections.includes(name)) return;
  try {
    await measure();
  } catch (error) {
    console.error(error);
    rows.push({ description: `${name} failed`, measured: '', goal: Number.NaN, isMet: false });
  }
}
const countElements = (page) => page.evaluate(() => document.querySelectorAll('*').length);

await runSection('tenants', async () => {
  for (const width of [1280, 360]) {
    const page = await openPage(width);
    const times = [];
    for (let run = 0; run < 5; run += 1) {
      await page.goto(`${origin}/tenants`, { waitUntil: 'commit' });
      times.push(
        await page.evaluate(async () => {
          while (!document.querySelector('[data-index]')) await window.nextPaint();
          const end = await window.nextPaint();
          return end - window.largestResponseEnd();
        }),
      );
    }
    report(`${options.tenants} tenants at ${width} px, response to painted rows, ms`, median(times), 250);
    report(`${options.tenants} tenants at ${width} px, elements in the page`, await countElements(page), 600);
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().click();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      window.slowestEvent = 0;
    });
    await page.keyboard.type('academia aurora', { delay: 80 });
    for (let count = 0; count < 8; count += 1) await page.keyboard.press('Backspace', { delay: 80 });
    await page.evaluate(() => window.nextPaint());
    report(
      `search among ${options.tenants} at ${width} px, slowest keystroke, ms`,
      await page.evaluate(() => window.slowestEvent),
      200,
    );
    await page.context().close();
  }
});

await runSection('subdomains', async () => {
  const page = await openPage(1280);
  const tools = await page.context().newCDPSession(page);
  const measureHeap = async () => {
    await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  await page.goto(`${origin}/admin`);
  await page.locator('[data-index]').first().waitFor();
  const heapBefore = await measureHeap();
  const delays = await page.evaluate(async (total) => {
    const countLoaded = () =>
      Number(/^(\d+) de/.exec(document.querySelector('section [role=status]')?.textContent ?? '')?.[1]);
    const delaysMs = [];
    while (countLoaded() < total) {
      const countBefore = countLoaded();
      const startedAt = performance.now();
      while (countLoaded() === countBefore) {
        if (performance.now() - startedAt > 10_000) throw new Error(`the list stalls at ${countBefore} rows`);
        window.scrollTo(0, document.documentElement.scrollHeight);
        await window.nextPaint();
      }
      delaysMs.push((await window.nextPaint()) - window.lastResponseEnd());
    }
    return delaysMs;
  }, Number(options.subdomains));
  const [first, last] = [median(delays.slice(0, 20)), median(delays.slice(-20))];
  report(`${options.subdomains} subdomains: one of the first 20 pages, response to painted rows, ms`, first, 50);
  report('… one of the last 20 pages, ms', last, 50);
  report('… last to first', last / first, 1.5);
  report('… growth of the heap, MB', (await measureHeap()) - heapBefore, 60);
  report('… elements in the page at the end', await countElements(page), 1500);
  await page.context().close();
});

await runSection('sizes', async () => {
  const manifest = await readManifest(clientFolder);
  const pages = await measureFirstLoad(clientFolder);
  report('first load of /admin, JavaScript gzip, kB', pages['/admin'].scriptKb, 230);
  for (const path of ['/login', '/contact'])
    report(`first load of ${path}, JavaScript gzip, kB`, pages[path].scriptKb, 130);
  const adminScripts = listFiles(manifest, '/admin').scripts;
  for (const path of SCREENS) {
    const addedScripts = listFiles(manifest, path).scripts.filter((file) => !adminScripts.includes(file));
    report(`${path}, beyond what /admin has loaded, kB`, await measureSize(clientFolder, addedScripts), 25);
  }
});

/** Emulates a processor that is four times slower and, by default, the network "Slow 4G" of DevTools. */
async function slowDown(page, { network = true } = {}) {
  const tools = await page.context().newCDPSession(page);
  const slow4g = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
  if (network) await tools.send('Network.emulateNetworkConditions', slow4g);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/**
 * Opens a screen with an empty cache on a slow phone.
 * @param hasRows whether the visit ends with the first rows instead of the first paint
 * @returns the time of the first paint, the end of the visit as `rows`, and the number of requests until then
 */
async function visitSlowly(path, hasRows) {
  const page = await openPage(360);
  await slowDown(page);
  await page.goto(origin + path, { waitUntil: 'commit', timeout: 120_000 });
  const visit = await page.evaluate(async (waitsForRows) => {
    const readPaintTime = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const isComplete = () => readPaintTime() !== undefined && (!waitsForRows || document.querySelector('[data-index]'));
    while (!isComplete()) await window.nextPaint();
    const endMs = await window.nextPaint();
    const requestCount = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < endMs).length;
    return { paint: readPaintTime(), rows: endMs, requests: requestCount + 1 }; // One more: the page itself.
  }, hasRows);
  await page.context().close();
  return visit;
}

await runSection('phone', async () => {
  const measureMedianVisit = async (path, hasRows) => {
    const visits = [];
    for (let run = 0; run < 3; run += 1) visits.push(await visitSlowly(path, hasRows));
    const computeMedian = (name) => median(visits.map((visit) => visit[name]));
    return { paint: computeMedian('paint'), rows: computeMedian('rows'), requests: computeMedian('requests') };
  };
  const landing = await measureMedianVisit('/', false);
  report('slow phone, first paint of /, ms', landing.paint, Number.POSITIVE_INFINITY);
  const admin = await measureMedianVisit('/admin', true);
  report('slow phone, first paint of /admin, ms', admin.paint, landing.paint * 1.3);
  report('slow phone, rows of /admin, ms', admin.rows, landing.paint * 3);
  report('slow phone, requests before the rows of /admin', admin.requests, 25);
});

await runSection('keys', async () => {
  const page = await openPage(1280);
  await slowDown(page, { network: false });
  /** Measures the duration of the longest event during an action, ms. */
  const measureSlowestEvent = async (action) => {
    await page.evaluate(() => {
      window.slowestEvent = 0;
    });
    await action();
    await page.evaluate(() => window.nextPaint().then(window.nextPaint));
    return page.evaluate(() => window.slowestEvent);
  };
  const type = (text) => page.keyboard.type(text, { delay: 120 });
  await page.goto(`${origin}/404`);
  await page.evaluate(() => {
    document.body.innerHTML = '<input>';
  });
  await page.locator('input').click();
  const emptyPageMs = await measureSlowestEvent(() => type('academia aurora'));
  const limitMs = Math.max(200, 2 * emptyPageMs);
  report('4x slower, a keystroke on an empty page, ms', emptyPageMs, Number.POSITIVE_INFINITY);

  await page.goto(`${origin}/tenants`);
  const tableRows = page.locator('[data-index]');
  await tableRows.first().waitFor();
  await page.waitForLoadState('networkidle');
  const search = page.getByRole('searchbox');
  await search.click();
  report(
    `4x slower, typing a search over ${options.tenants}, ms`,
    await measureSlowestEvent(() => type('academia')),
    limitMs,
  );
  await page.waitForTimeout(600); // The text is written into the URL a moment after the last key.
  report('4x slower, clearing the search, ms', await measureSlowestEvent(() => page.keyboard.press('Escape')), limitMs);
  await page.waitForTimeout(600);
  const sortButton = page.getByRole('columnheader').getByRole('button').first();
  report('4x slower, sorting, ms', await measureSlowestEvent(() => sortButton.click()), limitMs);
  await page.getByRole('button', { name: 'Novo Tenant' }).click();
  await page.getByLabel('Nome do Tenant').click();
  report('4x slower, typing in a dialog, ms', await measureSlowestEvent(() => type('academia')), limitMs);

  const service = await stack.create('/gateway/admin/services', { name: 'muitas', host: 'http://127.0.0.1:4999' });
  const imported = Array.from({ length: 205 }, (_, index) => ({
    method: 'GET',
    path: `/itens/${index}`,
    permission: `itens-${index}:ler`,
  }));
  await stack.create('/gateway/admin/routes/import', { serviceId: service._id, routes: imported });
  await page.goto(`${origin}/gateway/keys?nova=1`);
  const group = page.getByRole('group', { name: 'Permissões de muitas' });
  await group.getByRole('button').click();
  const checkbox = page.getByRole('checkbox', { name: 'itens-100:ler' });
  await checkbox.scrollIntoViewIfNeeded();
  report('4x slower, ticking among 205 permissions, ms', await measureSlowestEvent(() => checkbox.click()), limitMs);

  await page.goto(`${origin}/admin`);
  await tableRows.first().waitFor();
  await page.waitForLoadState('networkidle');
  const manual = page.getByRole('button', { name: 'Manualmente' });
  report('4x slower, Manualmente, ms', await measureSlowestEvent(() => manual.click()), limitMs);
  await page.context().close();
});

await runSection('graph', async () => {
  const measureMedianTime = async (send) => {
    const times = [];
    for (let run = 0; run < 7; run += 1) {
      const startedAt = performance.now();
      await (await send()).text();
      times.push(performance.now() - startedAt);
    }
    return median(times.slice(2)); // The first two runs warm up.
  };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const page = await openPage(1280);
  const listRequest = page.waitForRequest((request) => request.postData()?.includes('"Tenants"') ?? false);
  await page.goto(`${origin}/tenants`);
  const { variables, ...operation } = (await listRequest).postDataJSON();
  // Without the variables of a page the graph returns all tenants, as REST does.
  const body = JSON.stringify({ ...operation, variables: { sortBy: variables.sortBy, order: variables.order } });
  await page.context().close();
  const restMs = await measureMedianTime(() => fetch(`${origin}/api/tenants`, { headers }));
  const graphMs = await measureMedianTime(() => fetch(`${origin}/graphql`, { method: 'POST', headers, body }));
  report(`${options.tenants} tenants by REST, ms`, restMs, Number.POSITIVE_INFINITY);
  report(`${options.tenants} tenants through the graph, ms`, graphMs, restMs * 1.5);
});

await browser.close();
await stack.stop();
const formatGoal = (goal) => (Number.isFinite(goal) ? Math.round(goal * 10) / 10 : '');
if (rows.length === 0) throw new Error('no such section');
console.log(
  formatTable(rows.map(({ isMet, goal, ...row }) => ({ ...row, goal: formatGoal(goal), '': isMet ? '' : 'missed' }))),
);
process.exit(rows.every(({ isMet }) => isMet) ? 0 : 1);
