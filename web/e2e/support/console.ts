import type { Browser, Page } from 'playwright-core';
import { waitFor } from '../../../scripts/testing/program';
import { Stack, type StackOptions } from '../../../scripts/testing/stack';
import { createAccount } from './account';
import { launchBrowser, type OpenedPage, openPage, submitLogin } from './browser';
import { PageSupply } from './page-supply';

interface ConsoleOptions extends Omit<StackOptions, 'environment'> {
  /** Variables of the processes, or a function that returns them before the processes start. */
  environment?: StackOptions['environment'] | (() => Promise<StackOptions['environment']>);
  /** Creates rows before the first test of the file. */
  setUp?: (stack: Stack) => Promise<unknown>;
  /** Called with the signed-in page of each test, in an empty browser profile, and with each page that replaces it. */
  onPage: (page: Page) => void;
  /** Width of the page in px. */
  width?: number;
  /** Whether a test fails if its page has page errors that the test has not expected with `expectPageErrors`. */
  failsOnPageErrors?: boolean;
}

/** Starts one installation and one browser for the tests of a file. Each test gets a page in an empty profile. */
export function startConsole({
  environment,
  setUp,
  onPage,
  width,
  failsOnPageErrors = false,
  ...options
}: ConsoleOptions) {
  const started: { stack?: Stack; browser?: Browser; token?: string; pages?: PageSupply; opened?: OpenedPage } = {};
  const ensureStarted = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('the console has not started yet');
    return value;
  };
  const open = async (token?: string) => {
    started.opened = await ensureStarted(started.pages).open(token);
    onPage(started.opened.page);
  };
  beforeAll(async () => {
    const stack = await Stack.start({
      ...options,
      environment: typeof environment === 'function' ? await environment() : environment,
    });
    started.stack = stack;
    started.token = await stack.logIn();
    await setUp?.(stack);
    started.browser = await launchBrowser();
    started.pages = new PageSupply(started.browser, stack, width);
  });
  beforeEach(() => open(started.token));
  afterEach(() => {
    if (failsOnPageErrors) expect(started.opened?.pageErrors).toEqual([]);
  });
  afterAll(async () => {
    await started.browser?.close();
    await started.stack?.stop();
  });
  return {
    get stack() {
      return ensureStarted(started.stack);
    },
    get browser() {
      return ensureStarted(started.browser);
    },
    /** Waits for page errors, expects each to match, and removes them. The browser logs refused requests as errors. */
    async expectPageErrors(pattern: RegExp): Promise<void> {
      const { pageErrors } = ensureStarted(started.opened);
      await waitFor(`a page error that matches ${pattern}`, () => pageErrors.length > 0);
      expect(pageErrors.splice(0).filter((text) => !pattern.test(text))).toEqual([]);
    },
    /** Replaces the page of the test by a page that is signed in with the token; without a token it is not signed in. */
    replacePage: open,
    /** Signs the page of the test in as a new account with these rights, without the screen of the login. */
    async signInAs(username: string, rights: object): Promise<void> {
      const stack = ensureStarted(started.stack);
      const { token } = await stack.create('/login', await createAccount(stack, username, rights));
      await open(String(token));
    },
    /**
     * Opens the console in a new browser profile as a new account with these rights.
     * @param landingUrl pattern of the URL that the login of this account leads to
     */
    async openAs(username: string, rights: object, landingUrl = '**/admin'): Promise<Page> {
      const stack = ensureStarted(started.stack);
      const account = await createAccount(stack, username, rights);
      const { page } = await openPage(ensureStarted(started.browser), stack);
      await page.goto(`${stack.url}/login`);
      await submitLogin(page, account);
      await page.waitForURL(landingUrl);
      return page;
    },
  };
}
