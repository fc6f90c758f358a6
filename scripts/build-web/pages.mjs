// Finishes the prerendered pages of a build: node scripts/build-web/pages.mjs FOLDER
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A module preload has the priority of a stylesheet and takes the line from it; the words need no module.
 * (React matches these links by address when it hydrates, so one more attribute is safe.)
 */
const yieldToPaint = (html) =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

const [folder] = process.argv.slice(2);
const names = await readdir(folder, { recursive: true });
for (const name of names.filter((file) => file.endsWith('.html'))) {
  const file = join(folder, name);
  await writeFile(file, yieldToPaint(await readFile(file, 'utf8')));
}
