import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import NodeEnvironment from 'jest-environment-node';
import { chromium, type Page } from 'playwright-core';

const FOLDER = join(__dirname, '../results');
/** Name of the global set of open pages, which `openPage` fills. */
const OPEN_PAGES = 'openPages';

/** A test or `describe` of Jest's runner. */
interface Block {
  name: string;
  parent?: Block;
}

/**
 * Tries to write a screenshot of every open page to `web/e2e/results` when a test fails. It also provides the tests
 * with Playwright: Node loads Playwright here once for all files, but Jest would load it again for each file.
 */
export default class ScreenshotEnvironment extends NodeEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { [OPEN_PAGES]: new Set<Page>(), chromium });
  }

  async handleTestEvent(event: { name: string; test?: Block }): Promise<void> {
    if (event.name !== 'test_fn_failure') return;
    const pages: Set<Page> | undefined = Reflect.get(this.global, OPEN_PAGES);
    const names: string[] = [];
    for (let block = event.test; block?.parent; block = block.parent) names.unshift(block.name);
    const title = names
      .join(' ')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 120);
    mkdirSync(FOLDER, { recursive: true });
    await Promise.all(
      [...(pages ?? [])]
        .filter((page) => !page.isClosed())
        .map((page, index) =>
          page.screenshot({ path: join(FOLDER, `${title}-${index}.png`), timeout: 5_000 }).catch(() => undefined),
        ),
    );
  }
}
