/**
 * Checks that docs/decisions/README.md lists every decision once, with the title of its page (`references.mjs` checks
 * links).
 */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'docs/decisions';
const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const index = readFileSync(`${FOLDER}/README.md`, 'utf8').split('\n');

let errorCount = 0;
for (const page of pages) {
  const [heading] = readFileSync(`${FOLDER}/${page}`, 'utf8').split('\n', 1);
  const [, number, title] = /^# (\d+): (.+)$/.exec(heading) ?? [];
  const line = `- [${number}](${page}): ${title}`;
  if (index.filter((entry) => entry === line).length === 1 && page.startsWith(`${number}-`)) continue;
  errorCount += 1;
  console.log(`${FOLDER}/README.md: must contain once: ${line}`);
}
process.exit(errorCount === 0 ? 0 : 1);
