import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const EVERY_RULE = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The themes differ in nothing else. */
const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Each theme with the rules that are checked in it. */
export const THEMES = [
  ['light', EVERY_RULE],
  ['dark', COLOUR_RULES],
] as const;

/** Once per document, before `violations`. */
export const loadAxe = (page: Page): Promise<unknown> => page.evaluate(source);

/** What axe finds on the page as it stands, and by how much it is wider than its window. */
export function violations(page: Page, [, runOnly]: (typeof THEMES)[number]): Promise<string[]> {
  return page.evaluate(
    async (options) => {
      const { violations: found } = await Reflect.get(window, 'axe').run(options);
      const faults: string[] = found.map(
        ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
          `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
      );
      const sideways = document.documentElement.scrollWidth - window.innerWidth;
      return sideways > 0 ? [...faults, `${sideways} px wider than the window`] : faults;
    },
    { runOnly, resultTypes: ['violations'] },
  );
}
