// Finishes the prerendered pages of a build: node scripts/build-web/pages.mjs FOLDER
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEarlyFilesScript } from './early-files.mjs';
import { listScreens, readManifest } from './manifest.mjs';

/**
 * Lowers the priority of module preloads, which compete with the stylesheet for bandwidth. The text needs no module.
 * (React finds these links by address when it hydrates, so an additional attribute is safe.)
 */
const lowerPreloadPriority = (html) =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

const [folder] = process.argv.slice(2);

/** Inlines the router's manifest, which would cost a round trip as a separate file. */
async function inlineManifest(html) {
  const [statement, path] = /import "(\/assets\/manifest-\w+\.js)";/.exec(html) ?? [];
  if (!statement) throw new Error('the page that starts the console imports no manifest');
  const manifest = await readFile(join(folder, path), 'utf8');
  return html
    .replace(`<link rel="modulepreload" href="${path}"/>`, '')
    .replace(statement, '')
    .replace('<script type="module"', () => `<script>${manifest}</script><script type="module"`);
}

/** The page that starts the console has inline styles, because a stylesheet would delay its font. */
const CONSOLE = '__spa-fallback.html';
async function addEarlyFiles(page) {
  const scripts = [await createEarlyFilesScript(folder)];
  const html = await inlineManifest(page);
  return html
    .replaceAll('<link rel="preload" as="font"', '<link rel="preload" fetchpriority="low" as="font"')
    .replace('</head>', `${scripts.map((script) => `<script>${script}</script>`).join('')}</head>`);
}

const names = await readdir(folder, { recursive: true });
for (const name of names.filter((file) => file.endsWith('.html'))) {
  const file = join(folder, name);
  const html = await readFile(file, 'utf8');
  await writeFile(file, name === CONSOLE ? await addEarlyFiles(html) : lowerPreloadPriority(html));
}

const screens = listScreens(await readManifest(folder), folder);
await writeFile(join(folder, 'screens.json'), JSON.stringify(screens));
