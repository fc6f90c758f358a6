import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Limits for the requests of a page before it is usable. `scriptKb` is the size with gzip. */
const BUDGETS = {
  '/': { scriptKb: 0, requests: 6 },
  '/contact': { scriptKb: 190, requests: 12 },
  '/login': { scriptKb: 190, requests: 12 },
  '/admin': { scriptKb: 285, requests: 15 },
};

test('no page loads more script or sends more requests than its budget before the page is usable', () => {
  const output = execFileSync(process.execPath, ['scripts/build-web/first-load.mjs', 'web/build/client'], {
    cwd: root,
  });
  const pages: Record<string, { scriptKb: number; requests: number }> = JSON.parse(output.toString());
  expect(Object.keys(pages)).toEqual(Object.keys(BUDGETS));
  const exceeded = Object.entries(BUDGETS).filter(([path, { scriptKb, requests }]) => {
    const page = pages[path];
    return !page || page.scriptKb > scriptKb || page.requests > requests;
  });
  expect(exceeded.map(([path]) => ({ path, ...pages[path] }))).toEqual([]);
});
