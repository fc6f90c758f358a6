import type { Page } from 'playwright-core';
import type { Stack } from '../../../scripts/testing/stack';
import { paths } from '../../src/lib/routing/paths';
import { followUrl } from './browser';
import { resolveUrl } from './screens';

/** Closes the open dialog, if there is one. @returns whether nothing of the screen stays on the next one */
async function canLeaveScreen(page: Page, stack: Stack): Promise<boolean> {
  const count = (selector: string) => page.locator(selector).count();
  if (!page.url().startsWith(stack.url) || (await count('h1')) === 0) return false;
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

/**
 * Opens a screen after any state of another test. It opens in the open document if possible, because a new document takes
 * twice the CPU time, and with a copy of axe five times.
 * @param path as in `SCREENS`
 * @param width of the page in px
 */
export async function openScreen(page: Page, stack: Stack, path: string, width: number): Promise<void> {
  const url = await resolveUrl(path, stack);
  await page.setViewportSize({ width, height: 900 });
  if (!(await canLeaveScreen(page, stack))) {
    await page.goto(url);
    // A dialog that the URL opens hides the heading from the accessibility tree.
    await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
    return;
  }
  // No control of the new screen is hovered.
  await page.mouse.move(0, 0);
  // If the router opens a URL of the same screen, the screen keeps its state.
  if (new URL(page.url()).pathname === new URL(url).pathname) {
    const otherScreen = path.startsWith(paths.projects) ? paths.alerts : paths.projects;
    await followUrl(page, stack.url + otherScreen);
  }
  await followUrl(page, url);
}
