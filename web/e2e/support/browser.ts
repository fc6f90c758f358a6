import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import { until } from '../../../scripts/testing/program';
import { ADMINISTRATOR, type Stack } from '../../../scripts/testing/stack';

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
    timeout: 120_000,
  });

declare global {
  /** Photographed when a test fails (`environment.ts`). */
  var openPages: Set<Page> | undefined;
}

export interface Visit {
  page: Page;
  /** Console errors and warnings, page errors and requests that left the origin: there must be none. */
  pageErrors: string[];
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
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  openPages?.add(page);
  const pageErrors: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) pageErrors.push(message.text());
  });
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const port = new URL(stack.url).port;
    if (protocol.startsWith('http') && !host.endsWith(`localhost:${port}`)) pageErrors.push(request.url());
  });
  return { page, pageErrors };
}

/** React has taken over the form of the page: its fields answer. */
export const hydrated = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__reactProps')),
  );

/** Fills in the login that the page shows, and sends it. */
export async function sendLogin(page: Page, { username, password } = ADMINISTRATOR): Promise<void> {
  await hydrated(page);
  await page.getByLabel('Usuário').fill(username);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
}

export async function login(page: Page, url: string, account = ADMINISTRATOR): Promise<void> {
  await page.goto(`${url}/login`);
  await sendLogin(page, account);
  await page.waitForURL('**/admin');
  // The address is there before the screen, whose keys and buttons a test uses at once.
  await page.getByRole('heading', { level: 1, name: 'Subdomínios', exact: true }).waitFor();
}

/** The page has nothing more urgent to do; on a machine that is busy with other things it never says so. */
export const idle = (page: Page) =>
  page.evaluate(() => new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));

/**
 * Resolves once the page's requests have been answered, it has drawn what they brought, and no part of it waits for more.
 * To be called before the navigation.
 */
export function watchNetwork(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let changes = 0;
  const ended = (request: Request) => {
    underWay.delete(request);
    changes += 1;
  };
  page.on('request', (request) => {
    // Requests of the previous page no longer count.
    if (request.isNavigationRequest()) underWay.clear();
    underWay.add(request);
    changes += 1;
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    await until('an end of all requests', async () => {
      const before = changes;
      await idle(page);
      const waits = await page.evaluate(() => document.querySelector('main [aria-busy="true"]') !== null);
      return underWay.size === 0 && changes === before && !waits;
    });
  };
}

/** The dialog has taken the focus: the keys are its own, Escape too. */
export const dialogHasFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.closest('[role$="dialog"]'));

const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Resolves once the clipboard holds a text: it is written after the click that asks for it. */
export const expectCopied = (page: Page, text: string) =>
  until(`"${text}" in the clipboard`, async () => (await clipboardOf(page)) === text);

/** Empties the clipboard. @returns a function that resolves to what is copied next */
export async function watchClipboard(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  return () => until('a copy', () => clipboardOf(page));
}

/** The global notification shows this text. */
export const expectNotice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notificações' }).getByText(text).waitFor();
