// Finishes the prerendered pages of a build: node scripts/build-web/pages.mjs FOLDER
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { earlyFilesScript } from './early-files.mjs';
import { earlyQueryScript } from './early-query.mjs';

/**
 * A module preload has the priority of a stylesheet and takes the line from it; the words need no module.
 * (React matches these links by address when it hydrates, so one more attribute is safe.)
 */
const yieldToPaint = (html) =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

const [folder] = process.argv.slice(2);

/** The router's table of files, within the page: as a file of its own it is a round trip more. */
async function withManifest(html) {
  const [statement, path] = /import "(\/assets\/manifest-\w+\.js)";/.exec(html) ?? [];
  if (!statement) throw new Error('the page that starts the console imports no manifest');
  const manifest = await readFile(join(folder, path), 'utf8');
  return html
    .replace(`<link rel="modulepreload" href="${path}"/>`, '')
    .replace(statement, '')
    .replace('<script type="module"', () => `<script>${manifest}</script><script type="module"`);
}

/** The page that starts the console has its styles within: its scripts take the line from nothing, but its font does. */
const CONSOLE = '__spa-fallback.html';
async function hurried(page) {
  const scripts = await Promise.all([earlyQueryScript(), earlyFilesScript(folder)]);
  const html = await withManifest(page);
  return html
    .replaceAll('<link rel="preload" as="font"', '<link rel="preload" fetchpriority="low" as="font"')
    .replace('</head>', `${scripts.map((script) => `<script>${script}</script>`).join('')}</head>`);
}

const names = await readdir(folder, { recursive: true });
for (const name of names.filter((file) => file.endsWith('.html'))) {
  const file = join(folder, name);
  const html = await readFile(file, 'utf8');
  await writeFile(file, name === CONSOLE ? await hurried(html) : yieldToPaint(html));
}
