import type { Browser, Page } from 'playwright-core';
import { Stack } from '../../../scripts/testing/stack';
import { paths } from '../../src/lib/routing/paths';
import { findViolations, loadAxe, type ThemeCheck } from './axe';
import { followUrl, launchBrowser, openPage, watchNetwork } from './browser';
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

  /**
   * Opens a screen after any state of another test, and waits until it has loaded completely. It opens in the open
   * document if possible, because a new document and its copy of axe take five times the CPU time.
   */
  async open(path: string): Promise<void> {
    const { page } = this;
    const url = await resolveUrl(path, this.stack);
    await page.setViewportSize({ width: DESK, height: 900 });
    if (await this.prepareToLeave()) {
      // No control of the new screen is hovered.
      await page.mouse.move(0, 0);
      // If the router opens a URL of the same screen, the screen keeps its state.
      if (new URL(page.url()).pathname === new URL(url).pathname) {
        const otherScreen = path.startsWith(paths.projects) ? paths.alerts : paths.projects;
        await followUrl(page, this.stack.url + otherScreen);
      }
      await followUrl(page, url);
    } else {
      await page.goto(url);
      await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
    }
    await this.waitForRequests();
  }

  /** Closes the open dialog, if there is one. @returns whether the next screen can open in this document */
  private async prepareToLeave(): Promise<boolean> {
    const { page } = this;
    const count = (selector: string) => page.locator(selector).count();
    if (!page.url().startsWith(this.stack.url) || (await count('h1')) === 0) return false;
    // A notification would lie above the new screen for some seconds.
    if (await page.getByRole('region', { name: 'Notificações' }).getByRole('button').count()) return false;
    // A form that shows errors may have unsaved changes.
    if (await count('[aria-invalid="true"]')) return false;
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
