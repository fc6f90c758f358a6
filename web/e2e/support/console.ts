import type { Browser, Page } from 'playwright-core';
import { Stack, type StackOptions } from '../../../scripts/testing/stack';
import { launchBrowser, openPage, submitLogin } from './browser';

const PASSWORD = 'uma senha de teste bem longa';

interface ConsoleOptions extends StackOptions {
  /** Creates rows before the first test of the file. */
  setUp?: (stack: Stack) => Promise<unknown>;
  /** Called before each test with a signed-in page in a browser profile of its own. */
  onPage: (page: Page) => void;
}

/** Starts one installation and one browser for the tests of a file. Each test gets a new page. */
export function startConsole({ setUp, onPage, ...options }: ConsoleOptions) {
  const started: { stack?: Stack; browser?: Browser; token?: string; page?: Page } = {};
  const ensureStarted = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('the console has not started yet');
    return value;
  };
  beforeAll(async () => {
    const stack = await Stack.start(options);
    started.stack = stack;
    started.token = await stack.logIn();
    await setUp?.(stack);
    started.browser = await launchBrowser();
  });
  beforeEach(async () => {
    const { page } = await openPage(ensureStarted(started.browser), ensureStarted(started.stack), {
      token: started.token,
    });
    started.page = page;
    onPage(page);
  });
  afterEach(() => started.page?.context().close());
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
    /**
     * Opens the console as a new account with these rights.
     * @param landingUrl pattern of the URL that the login of this account leads to
     */
    async openAs(username: string, rights: object, landingUrl = '**/admin'): Promise<Page> {
      const stack = ensureStarted(started.stack);
      const { setupToken } = await stack.create('/admins', { username, ...rights });
      await fetch(`${stack.coreUrl}/api/setup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: setupToken, password: PASSWORD }),
      });
      const { page } = await openPage(ensureStarted(started.browser), stack);
      await page.goto(`${stack.url}/login`);
      await submitLogin(page, { username, password: PASSWORD });
      await page.waitForURL(landingUrl);
      return page;
    },
  };
}
