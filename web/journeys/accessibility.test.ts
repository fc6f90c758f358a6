import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launch, open } from './browser';
import { ADMINISTRATOR, type Stack, startStack } from './stack';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SCREENS = [
  '/admin',
  '/tenants',
  '/tenants?novo=1',
  '/projects',
  '/projects?novo=1',
  '/settings',
  '/gateway/keys',
  '/gateway/management',
  '/gateway/management?tab=rotas',
  '/gateway/management?tab=rotas&nova=1',
  '/gateway/metrics',
];

let stack: Stack;
let browser: Browser;
let token = '';

beforeAll(async () => {
  stack = await startStack();
  browser = await launch();
  const answer = await fetch(`${stack.url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ADMINISTRATOR),
  });
  ({ token } = await answer.json());
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (values) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe comes into the page as a global
    const { violations: found } = await (globalThis as any).axe.run(document, { runOnly: { type: 'tag', values } });
    return found.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  }, RULES);
}

async function fill(): Promise<void> {
  const project = await stack.asAdministrator('/api/projects', {
    name: 'CRM',
    dbPrefix: 'crm',
    type: 'proxy',
    apiPort: 4000,
  });
  const id = typeof project === 'object' && project !== null && '_id' in project ? project._id : '';
  await stack.asAdministrator('/api/tenants', {
    name: 'Padaria',
    project: id,
    subdomain: 'padaria',
    responsibleName: 'Zé',
  });
  await stack.asAdministrator('/api/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
  await stack.asAdministrator('/api/gateway/admin/services', { name: 'estoque', host: 'http://localhost:4000' });
  await stack.asAdministrator('/api/gateway/admin/keys', { name: 'Aplicativo', permissions: ['*'] });
  await stack.asAdministrator('/api/contact', { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá' });
}

async function walk(): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      const { page } = await open(browser, stack, { theme, width, token });
      for (const screen of SCREENS) {
        await page.goto(stack.url + screen);
        await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
        await page.waitForLoadState('networkidle');
        if (/nov[oa]=1/.test(screen)) await page.getByRole('dialog').waitFor();
        found.push(...(await violations(page)).map((text) => `${screen} ${theme} ${width}: ${text}`));
      }
      await page.context().close();
    }
  }
  return found;
}

test('axe finds nothing on empty screens and dialogs, in both themes, on a phone and on a desk', async () => {
  expect(await walk()).toEqual([]);
}, 120_000);

test('nor on filled ones', async () => {
  await fill();
  expect(await walk()).toEqual([]);
}, 120_000);
