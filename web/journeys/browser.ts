import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import { until } from '../../scripts/testing/program';
import { ADMINISTRATOR, type Stack } from '../../scripts/testing/stack';

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });

export interface Visit {
  page: Page;
  /** Console errors and warnings, page errors and requests that left the origin: there must be none. */
  troubles: string[];
}

interface VisitOptions {
  width?: number;
  theme?: 'light' | 'dark';
  /** Signed in from the start. */
  token?: string;
}

/** A fresh browser profile, as an administrator in Brazil has it. */
export async function open(
  browser: Browser,
  stack: Stack,
  { width = 1280, theme, token }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    viewport: { width, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addInitScript(
    (stored) => {
      for (const [name, value] of Object.entries(stored))
        if (value && !localStorage.getItem(name)) localStorage.setItem(name, value);
    },
    { theme, token },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const port = new URL(stack.url).port;
    if (protocol.startsWith('http') && !host.endsWith(`localhost:${port}`)) troubles.push(request.url());
  });
  return { page, troubles };
}

export async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__reactProps')),
  );
  await page.getByLabel('Usuário').fill(ADMINISTRATOR.username);
  await page.getByLabel('Senha').fill(ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.waitForURL('**/admin');
  // The address is there before the screen, whose keys and buttons a test uses at once.
  await page.getByRole('heading', { level: 1, name: 'Subdomínios', exact: true }).waitFor();
}

/** No request has been under way for so long: shorter than Playwright's `networkidle`, for pages of this machine. */
const REST_MS = 100;

/** Resolves once the page's requests have been answered. To be called before the navigation. */
export function watchNetwork(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let changedAt = performance.now();
  const ended = (request: Request) => {
    underWay.delete(request);
    changedAt = performance.now();
  };
  page.on('request', (request) => {
    // What the page before it asked for and never got does not count.
    if (request.isNavigationRequest()) underWay.clear();
    underWay.add(request);
    changedAt = performance.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    await until('an end of all requests', () => underWay.size === 0 && performance.now() - changedAt > REST_MS);
  };
}

/** The global notification shows this text. */
export const notified = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notificações' }).getByText(text).waitFor();
