import type { Browser } from 'playwright-core';
import type { Stack } from '../../../scripts/testing/stack';
import { type OpenedPage, openPage } from './browser';

/** Each of these calls changes a page or its profile in a way that `PageSupply` does not undo. */
const spyOnLastingChanges = ({ page }: OpenedPage) => [
  jest.spyOn(page, 'addInitScript'),
  jest.spyOn(page, 'close'),
  jest.spyOn(page.clock, 'install'),
  jest.spyOn(page.context(), 'newCDPSession'),
  jest.spyOn(page.context(), 'setOffline'),
  jest.spyOn(page.context(), 'close'),
];

/** Records the listeners that a test adds to the page, so that `PageSupply` can remove them. */
const spyOnListeners = ({ page }: OpenedPage) => [jest.spyOn(page, 'on'), jest.spyOn(page, 'once')];

/**
 * Provides one page after the other, each in an empty browser profile. If possible, the profile and the page of the
 * previous test are emptied and used again, because the first page of a profile takes twice the CPU time: it starts a
 * process, which compiles all scripts.
 */
export class PageSupply {
  private current?: OpenedPage & {
    lastingChanges: ReturnType<typeof spyOnLastingChanges>;
    listeners: ReturnType<typeof spyOnListeners>;
  };

  /** @param width of each page in px */
  constructor(
    private readonly browser: Browser,
    private readonly stack: Stack,
    private readonly width = 1280,
  ) {}

  /** Opens a page that is signed in with the token. Without a token it is not signed in. */
  async open(token?: string): Promise<OpenedPage> {
    if (this.current?.lastingChanges.some(({ mock }) => mock.calls.length > 0)) {
      await this.current.page.context().close();
      this.current = undefined;
    }
    if (!this.current) {
      const opened = await openPage(this.browser, this.stack, { width: this.width });
      this.current = { ...opened, lastingChanges: spyOnLastingChanges(opened), listeners: spyOnListeners(opened) };
    }
    await this.empty(this.current, token);
    return this.current;
  }

  private async empty(current: NonNullable<typeof this.current>, token: string | undefined): Promise<void> {
    const { page, pageErrors, listeners } = current;
    const context = page.context();
    for (const { mock } of listeners) for (const [event, listener] of mock.calls) page.off(event, listener);
    for (const spy of listeners) spy.mockClear();
    await page.emulateMedia({ media: null, reducedMotion: 'reduce' });
    for (const otherPage of context.pages()) if (otherPage !== page) await otherPage.close();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.setViewportSize({ width: this.width, height: 900 });
    // An empty document of the same origin ends the previous document, and keeps the process with its compiled scripts.
    const url = `${this.stack.url}/empty`;
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Empty</title>' }));
    await page.goto(url);
    await page.unroute(url);
    await context.clearCookies();
    await page.evaluate((newToken) => {
      localStorage.clear();
      sessionStorage.clear();
      if (newToken) localStorage.setItem('token', newToken);
    }, token);
    pageErrors.length = 0;
  }
}
