import type { Browser, BrowserContextOptions, BrowserType, Page, Request } from 'playwright-core';
import { waitFor } from '../../../scripts/testing/program';
import { ADMINISTRATOR, type Stack } from '../../../scripts/testing/stack';
import { paths } from '../../src/lib/routing/paths';

/** @param extraArguments command-line arguments of Chromium */
export const launchBrowser = (extraArguments: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      // Pages of tests live for seconds, and optimizing their code takes longer than it saves.
      '--js-flags=--no-opt --no-maglev',
      ...extraArguments,
    ],
    timeout: 120_000,
  });

declare global {
  /** Set by `environment.ts`. */
  var chromium: BrowserType;
  /** When a test fails, a screenshot of each of these pages is taken (`environment.ts`). */
  var openPages: Set<Page> | undefined;
}

export interface OpenedPage {
  page: Page;
  /** Console errors and warnings, page errors and requests to other origins. Tests expect an empty list. */
  pageErrors: string[];
}

export interface PageOptions extends Pick<BrowserContextOptions, 'bypassCSP' | 'javaScriptEnabled'> {
  width?: number;
  theme?: 'light' | 'dark';
  /** Token of a session. The page is then signed in from the start. */
  token?: string;
}

/** Opens a page in a fresh browser profile with the locale and time zone of Brazil. */
export async function openPage(
  browser: Browser,
  stack: Stack,
  { width = 1280, theme, token, ...contextOptions }: PageOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    viewport: { width, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...contextOptions,
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

/** Fills in and submits the login form of the page. */
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
  // The URL changes before the screen is shown. Tests use its buttons without waiting, so wait for its heading here.
  await page.getByRole('heading', { level: 1, name: 'Subdomínios', exact: true }).waitFor();
}

/** Resolves once the page is idle, or after a second, because a page may never become idle on a busy machine. */
export const waitForIdle = (page: Page) =>
  page.evaluate(() => {
    // With an animation that follows the scroll position, Chromium may begin no idle period until this call.
    document.getAnimations();
    return new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }));
  });

/** Resolves in the second animation frame, when the changes before the call have been laid out and painted. */
export const waitForFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  });

/**
 * Watches the requests of a page from now on, so call it before the navigation.
 * @returns a function that resolves once no request is open, all results are painted, and nothing in `main` is busy
 */
export function watchNetwork(page: Page): () => Promise<void> {
  const openRequests = new Set<Request>();
  let changeCount = 0;
  const markEnded = (request: Request) => {
    openRequests.delete(request);
    changeCount += 1;
  };
  page.on('request', (request) => {
    // Requests of the previous page no longer count.
    if (request.isNavigationRequest()) openRequests.clear();
    openRequests.add(request);
    changeCount += 1;
  });
  page.on('requestfinished', markEnded);
  page.on('requestfailed', markEnded);
  return async () => {
    await waitFor('an end of all requests', async () => {
      const countBefore = changeCount;
      await waitForIdle(page);
      const isBusy = await page.evaluate(() => document.querySelector('main [aria-busy="true"]') !== null);
      return openRequests.size === 0 && changeCount === countBefore && !isBusy;
    });
  };
}

/**
 * Opens a URL in the open document, as a link does, and waits for the data of its screen. A new document would take
 * twice the CPU time. Preconditions: a different URL shows different content; no dialog or unsaved change is open.
 */
async function followUrl(page: Page, url: string): Promise<void> {
  const main = page.getByRole('main', { includeHidden: true });
  const previousContent = await main.innerHTML();
  const isSameUrl = page.url() === url;
  // React Router offers no public access to its router. `navigate` resolves once the next screen has its data.
  const navigate = (path: string) => Object(window).__reactRouterDataRouter.navigate(path);
  await page.evaluate(navigate, url.slice(new URL(url).origin.length));
  await waitFor('the next screen', async () => isSameUrl || (await main.innerHTML()) !== previousContent);
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
}

/** Closes the open dialog, if there is one. @returns whether the next screen can open in this document */
async function prepareToLeave(page: Page, origin: string): Promise<boolean> {
  const count = (selector: string) => page.locator(selector).count();
  if (!page.url().startsWith(origin) || (await count('h1')) === 0) return false;
  // A notification would lie above the new screen for some seconds.
  if (await page.getByRole('region', { name: 'Notificações' }).getByRole('button').count()) return false;
  // A form with unsaved changes prevents this event, and would ask before the next screen.
  const hasUnsavedChanges = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  // A form that shows errors may keep them.
  if ((await count('[aria-invalid="true"]')) || (await page.evaluate(hasUnsavedChanges))) return false;
  const dialogs = page.locator('[role$="dialog"]');
  if ((await dialogs.count()) !== 1) return (await dialogs.count()) === 0;
  await page.keyboard.press('Escape');
  // Some dialogs stay open, or ask a question.
  const closing = dialogs.waitFor({ state: 'detached', timeout: 1_000 });
  return closing.then(
    () => true,
    () => false,
  );
}

/**
 * Opens a screen after any state of another test, and waits for its heading. It opens in the open document if possible,
 * because a new document takes several times the CPU time.
 */
export async function openScreen(page: Page, url: string): Promise<void> {
  const { origin, pathname } = new URL(url);
  if (await prepareToLeave(page, origin)) {
    // No control of the new screen is hovered.
    await page.mouse.move(0, 0);
    // If the router opens a URL of the same screen, the screen keeps its state.
    if (new URL(page.url()).pathname === pathname)
      await followUrl(page, origin + (pathname.startsWith(paths.projects) ? paths.alerts : paths.projects));
    await followUrl(page, url);
  } else {
    await page.goto(url);
    // A dialog that the URL opens hides the heading from the accessibility tree.
    await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
  }
}

/** Resolves once a dialog has the focus, so that it receives keys such as Escape. */
export const waitForDialogFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.closest('[role$="dialog"]'));

/** Resolves once the control with this visible text has the focus. */
export const waitForFocus = (page: Page, text: string) =>
  page.waitForFunction((expected) => document.activeElement?.textContent?.trim() === expected, text);

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Resolves once the clipboard has this text. A page writes the clipboard some time after the click. */
export const expectCopied = (page: Page, text: string) =>
  waitFor(`"${text}" in the clipboard`, async () => (await readClipboard(page)) === text);

/** Empties the clipboard. @returns a function that resolves to the next copied text */
export async function watchClipboard(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  return () => waitFor('a copy', () => readClipboard(page));
}

/** Waits until the global notification shows this text. */
export const expectNotice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notificações' }).getByText(text).waitFor();
