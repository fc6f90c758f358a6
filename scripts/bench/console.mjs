/**
 * `npm run bench -- console [--tenants 5000] [--subdomains 10000]`
 *
 * The console in a real browser on large data, beside the goals of the design: from the answer to painted rows, the worst
 * keystroke in a search, a list scrolled to its very end, elements in the page, and the JavaScript of the first load and of
 * each screen. Ends with 1 when a goal is missed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { requireChromium } from '../chromium.mjs';
import { median, start, stop, table, until } from './measure.mjs';
import { startOurs } from './ours.mjs';

const { values: options } = parseArgs({
  options: { tenants: { type: 'string', default: '5000' }, subdomains: { type: 'string', default: '10000' } },
});
const root = join(import.meta.dirname, '../..');
const client = join(root, 'web/build/client');
if (!existsSync(client)) {
  console.error('build first: npm run build');
  process.exit(1);
}

const seed = ['--tenants', options.tenants, '--subdomains', options.subdomains];
const { port, token, environment } = await startOurs({ seed });
const bff = start('node', [join(root, 'bff/dist/main.js')], { env: environment });
await until('the BFF', async () => (await fetch(`http://127.0.0.1:${environment.BFF_PORT}/readyz`)).ok);
const origin = `http://localhost:${port}`;
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] });

/** Runs before the page's own scripts: keeps the longest event, and when answers came. */
function watch([signedIn]) {
  localStorage.setItem('token', signedIn);
  performance.setResourceTimingBufferSize(10_000);
  window.slowestEvent = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.slowestEvent = Math.max(window.slowestEvent, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  window.painted = () =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  window.lastAnswer = () =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/graphql'))
      .at(-1)?.responseEnd;
}

async function open(width) {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width, height: 800 } });
  await context.addInitScript(watch, [token]);
  return context.newPage();
}

const rows = [];
const report = (what, value, goal) =>
  rows.push({ what, measured: Math.round(value * 10) / 10, goal, met: value <= goal });
const elements = (page) => page.evaluate(() => document.querySelectorAll('*').length);

for (const width of [1280, 360]) {
  const page = await open(width);
  const times = [];
  for (let run = 0; run < 5; run += 1) {
    await page.goto(`${origin}/tenants`, { waitUntil: 'commit' });
    times.push(
      await page.evaluate(async () => {
        while (!document.querySelector('[data-index]')) await window.painted();
        const end = await window.painted();
        return end - window.lastAnswer();
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

{
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
      const asked = performance.now();
      while (loaded() === known) {
        if (performance.now() - asked > 10_000) throw new Error(`the list stalls at ${known} rows`);
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
}

{
  const size = (url) => gzipSync(readFileSync(join(client, new URL(url).pathname)), { level: 9 }).length / 1000;
  const page = await open(1280);
  const sum = (urls) => [...urls].reduce((total, url) => total + size(url), 0);
  await page.goto(`${origin}/admin`, { waitUntil: 'commit' });
  // What the screen needs to stand and to ask for its rows; the rest is fetched when idle.
  const needed = await page.evaluate(async () => {
    while (!document.querySelector('[data-index]')) await new Promise(requestAnimationFrame);
    const requests = performance.getEntriesByType('resource');
    const asked = requests.find(({ name }) => name.endsWith('/graphql')).startTime;
    return requests.filter(({ name, startTime }) => name.endsWith('.js') && startTime < asked).map(({ name }) => name);
  });
  report('first load of /admin, JavaScript gzip, kB', sum(needed), 260);
  const scripts = new Set();
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.add(response.url());
  });
  await page.goto(`${origin}/admin`, { waitUntil: 'networkidle' });
  for (const path of [
    '/tenants',
    '/projects',
    '/settings',
    '/gateway/keys',
    '/gateway/management',
    '/gateway/metrics',
  ]) {
    const known = new Set(scripts);
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    report(`${path}, beyond what is loaded already, kB`, sum([...scripts].filter((url) => !known.has(url))), 25);
  }
}

await browser.close();
await stop(bff);
console.log(table(rows.map(({ met, ...row }) => ({ ...row, '': met ? '' : 'missed' }))));
process.exit(rows.every(({ met }) => met) ? 0 : 1);
