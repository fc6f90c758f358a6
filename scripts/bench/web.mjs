/**
 * `npm run bench -- web [--runs 5] [--paths /,/contact,/login] [--url http://…]`
 *
 * Runs Lighthouse with its mobile preset against the built pages and prints the medians of the runs. Exits with 1 if a goal
 * is missed. Lighthouse is installed on demand in a separate folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stack } from '../testing/harness.mjs';
import { formatTable, median } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    paths: { type: 'string', default: '/,/contact,/login' },
    url: { type: 'string' },
  },
});
const folder = fileURLToPath(new URL('lighthouse', import.meta.url));

/** Minimum scores, and maximum values of the other figures: times in ms, transfer sizes in kB. */
const goals = {
  '/': {
    performance: 98,
    accessibility: 100,
    'best-practices': 100,
    seo: 100,
    LCP: 1500,
    TBT: 50,
    CLS: 0.01,
    JS: 15,
    total: 90,
  },
  '/contact': { performance: 92, accessibility: 100 },
  '/login': { performance: 92, accessibility: 100 },
};
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

if (!existsSync(`${folder}/node_modules/lighthouse`)) {
  execFileSync('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
}
const { default: lighthouse } = await import(`${folder}/node_modules/lighthouse/core/index.js`);
const { launch } = await import(`${folder}/node_modules/chrome-launcher/dist/index.js`);

/** Runs Lighthouse once. @returns scores (0–100), metrics, and the audits that did not pass */
async function measure(url) {
  const chrome = await launch({
    chromePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage'],
    logLevel: 'silent',
  });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: 'silent', onlyCategories: CATEGORIES });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    const requests = lhr.audits['network-requests'].details.items;
    const sumKilobytes = (items) => items.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1000;
    const failed = Object.values(lhr.audits).filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode === 'binary',
    );
    return {
      ...Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)])),
      FCP: lhr.audits['first-contentful-paint'].numericValue,
      LCP: lhr.audits['largest-contentful-paint'].numericValue,
      TBT: lhr.audits['total-blocking-time'].numericValue,
      CLS: lhr.audits['cumulative-layout-shift'].numericValue,
      JS: sumKilobytes(requests.filter(({ resourceType }) => resourceType === 'Script')),
      total: sumKilobytes(requests),
      failed: failed.map(({ id }) => id),
    };
  } finally {
    chrome.kill();
  }
}

const roundFigure = (name, value) => (name === 'CLS' ? value.toFixed(3) : Math.round(value * 10) / 10);

const stack = options.url ? undefined : await Stack.start();
const site = options.url ?? stack.url;
const missedGoals = [];
const rows = [];
for (const path of options.paths.split(',')) {
  const runs = [];
  let faultCount = 0;
  while (runs.length < Number(options.runs)) {
    try {
      runs.push(await measure(site + path));
    } catch (error) {
      // Chrome sometimes loses a trace on a busy machine.
      faultCount += 1;
      if (faultCount > 3) throw error;
    }
  }
  const { failed, ...figures } = runs[0]; // The failed audits of the first run are reported.
  const medians = Object.fromEntries(Object.keys(figures).map((name) => [name, median(runs.map((run) => run[name]))]));
  rows.push({
    page: path,
    ...Object.fromEntries(Object.entries(medians).map(([name, value]) => [name, roundFigure(name, value)])),
  });
  for (const [name, goal] of Object.entries(goals[path] ?? {})) {
    const value = medians[name];
    const isMet = CATEGORIES.includes(name) ? value >= goal : value <= goal;
    if (!isMet) missedGoals.push(`${path}: ${name} is ${roundFigure(name, value)}, the goal is ${goal}`);
  }
  if (failed.length > 0) console.log(`${path}: audits not passed: ${failed.join(', ')}`);
}
await stack?.stop();
console.log(formatTable(rows));
for (const line of missedGoals) console.log(`missed  ${line}`);
process.exitCode = missedGoals.length > 0 ? 1 : 0;
