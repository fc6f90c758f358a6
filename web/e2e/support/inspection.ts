import type { Browser, Page } from 'playwright-core';
import { Stack } from '../../../scripts/testing/stack';
import { findViolations, loadAxe, type ThemeCheck } from './axe';
import { launchBrowser, openPage, openScreen, watchNetwork } from './browser';
import { resolveUrl } from './screens';

export const PHONE = 360;
const DESK = 1280;

/** A width, and the theme and rules that are checked at this width. */
type View = readonly [width: number, ...check: ThemeCheck];

/** The views for screens with data. On a phone a list has other elements with other colors. */
export const EVERY_VIEW: readonly View[] = [
  [PHONE, 'light', 'all'],
  [PHONE, 'dark', 'colors'],
  [768, 'light', 'withoutColors'],
  [DESK, 'light', 'all'],
  [DESK, 'dark', 'colors'],
];
/** The view for states whose colors other tests check. */
export const PHONE_WITHOUT_COLORS: readonly View[] = [[PHONE, 'light', 'withoutColors']];
/** The views for states whose colors are the same at every width. */
export const NARROW_AND_WIDE: readonly View[] = [
  [PHONE, 'light', 'all'],
  [DESK, 'dark', 'all'],
];

/**
 * Switches the theme by a storage event, as another tab would, because an open dialog covers the button of the theme.
 * Resolves once the layout is stable.
 */
const showTheme = (page: Page, theme: string) =>
  page.evaluate(async (newValue) => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue }));
    const describeLayout = () =>
      `${document.documentElement.scrollHeight} ${window.scrollY} ${document.querySelectorAll('*').length}`;
    let lastLayout = '';
    let stableFrames = 0;
    while (stableFrames < 2) {
      await new Promise(requestAnimationFrame);
      const isUnchanged = describeLayout() === lastLayout && !document.documentElement.hasAttribute('data-switching');
      stableFrames = isUnchanged ? stableFrames + 1 : 0;
      lastLayout = describeLayout();
    }
  }, theme);

/** A console in a browser that axe inspects. */
export class Inspection {
  private constructor(
    readonly stack: Stack,
    readonly page: Page,
    private readonly browser: Browser,
    private readonly waitForRequests: () => Promise<void>,
  ) {}

  static async start(): Promise<Inspection> {
    const stack = await Stack.start();
    const browser = await launchBrowser();
    const { page } = await openPage(browser, stack, { token: await stack.logIn() });
    return new Inspection(stack, page, browser, watchNetwork(page));
  }

  /** Opens a screen after any state of another test, and waits until it has loaded completely. */
  async open(path: string): Promise<void> {
    await this.page.setViewportSize({ width: DESK, height: 900 });
    await openScreen(this.page, await resolveUrl(path, this.stack));
    await this.waitForRequests();
  }

  /** Returns the violations that axe finds on the current page in each of the views. */
  async inspect(views: readonly View[]): Promise<string[]> {
    const violations: string[] = [];
    await loadAxe(this.page);
    for (const [width, ...check] of views) {
      const [theme] = check;
      await this.page.setViewportSize({ width, height: 900 });
      await showTheme(this.page, theme);
      let violationsOfView = await findViolations(this.page, check);
      if (violationsOfView.length > 0) {
        // axe reads a page in pieces, so an element that moves during the run can look like a violation. Only
        // violations of a second run count.
        await showTheme(this.page, theme);
        violationsOfView = await findViolations(this.page, check);
      }
      violations.push(...violationsOfView.map((text) => `${theme} ${width}: ${text}`));
    }
    return violations;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
  }
}
