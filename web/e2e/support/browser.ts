import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import { waitFor } from '../../../scripts/testing/program';
import { ADMINISTRATOR, type Stack } from '../../../scripts/testing/stack';

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
    timeout: 120_000,
  });

declare global {
  /** A screenshot of these pages is taken when a test fails (`environment.ts`). */
  var openPages: Set<Page> | undefined;
}

export interface OpenedPage {
  page: Page;
  /** Console errors and warnings, page errors and requests to other origins. Tests expect none. */
  pageErrors: string[];
}

interface PageOptions {
  width?: number;
  theme?: 'light' | 'dark';
  /** Signed in from the start. */
  token?: string;
}

/** Opens a page in a fresh browser profile with the locale and time zone of Brazil. */
export async function openPage(
  browser: Browser,
  stack: Stack,
  { width = 1280, theme, token }: PageOptions = {},
): Promise<OpenedPage> {
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

/** Resolves once React has hydrated the form of the page. */
export const waitForHydration = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__reactProps')),
  );

/** Fills in the login that the page shows, and sends it. */
export async function submitLogin(page: Page, { username, password } = ADMINISTRATOR): Promise<void> {
  await waitForHydration(page);
  await page.getByLabel('Usuário').fill(username);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
}

export async function login(page: Page, url: string, account = ADMINISTRATOR): Promise<void> {
  await page.goto(`${url}/login`);
  await submitLogin(page, account);
  await page.waitForURL('**/admin');
  // The address changes before the screen is shown, whose keys and buttons a test uses at once.
  await page.getByRole('heading', { level: 1, name: 'Subdomínios', exact: true }).waitFor();
}

/** Resolves once the page is idle, or after a second, because the page is never idle on a busy machine. */
export const waitForIdle = (page: Page) =>
  page.evaluate(() => new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));

/**
 * Returns a function that resolves once the page has no open requests, has painted their results, and no part of it is busy.
 * Call it before the navigation.
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
    await waitFor('an end of all requests', async () => {
      const before = changes;
      await waitForIdle(page);
      const waits = await page.evaluate(() => document.querySelector('main [aria-busy="true"]') !== null);
      return underWay.size === 0 && changes === before && !waits;
    });
  };
}

/** Resolves once a dialog has the focus, so that it receives keys such as Escape. */
export const waitForDialogFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.closest('[role$="dialog"]'));

const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Resolves once the clipboard has a text, which is written some time after the click. */
export const expectCopied = (page: Page, text: string) =>
  waitFor(`"${text}" in the clipboard`, async () => (await clipboardOf(page)) === text);

/** Empties the clipboard. @returns a function that resolves to the next copied text */
export async function watchClipboard(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  return () => waitFor('a copy', () => clipboardOf(page));
}

/** Waits until the global notification shows this text. */
export const expectNotice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notificações' }).getByText(text).waitFor();
