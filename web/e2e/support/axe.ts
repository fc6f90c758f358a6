import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules about colors take most of the time of axe. Only their results differ between the themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const RULES = {
  all: { runOnly: { type: 'tag', values: TAGS } },
  colors: { runOnly: { type: 'rule', values: COLOR_RULES } },
  withoutColors: {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])),
  },
};

/** A theme, and the rules that are checked in it. */
export type ThemeCheck = readonly [theme: string, rules: keyof typeof RULES];
/** Both themes. In the second theme only the rules about colors are checked. */
export const THEME_CHECKS = [
  ['light', 'all'],
  ['dark', 'colors'],
] as const satisfies readonly ThemeCheck[];

/** Loads axe into the document, unless the document has it. `findViolations` needs axe. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
}

/** Returns the violations that axe finds on the current page, and the width by which the page overflows its window. */
export function findViolations(page: Page, [, rules]: ThemeCheck): Promise<string[]> {
  return page.evaluate(
    async (options) => {
      const { violations } = await Reflect.get(window, 'axe').run(options);
      const texts: string[] = violations.map(
        ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
          `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
      );
      const overflowPx = document.documentElement.scrollWidth - window.innerWidth;
      return overflowPx > 0 ? [...texts, `${overflowPx} px wider than the window`] : texts;
    },
    // The message of a violation has the HTML of its element, so no selector is needed. The page has no media to preload.
    { ...RULES[rules], resultTypes: ['violations'], selectors: false, preload: false },
  );
}
