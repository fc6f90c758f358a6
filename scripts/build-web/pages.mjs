/** `node scripts/build-web/pages.mjs FOLDER` finishes the prerendered pages of a build. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEarlyFilesScript } from './early-files.mjs';
import { listScreens, readManifest } from './manifest.mjs';

/**
 * Lowers the priority of module preloads, which compete with the stylesheet for bandwidth. The text of a prerendered page
 * needs no module. (React finds these links by their URL when it hydrates, so an additional attribute is safe.)
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

/** The page that starts the console. Its styles are inline, because a stylesheet would delay its font. */
const CONSOLE_PAGE = '__spa-fallback.html';
/** Inlines the manifest, adds the script of the early files, and lowers the priority of the font. */
async function finishConsolePage(page) {
  const script = await createEarlyFilesScript(folder);
  const html = await inlineManifest(page);
  return html
    .replaceAll('<link rel="preload" as="font"', '<link rel="preload" fetchpriority="low" as="font"')
    .replace('</head>', () => `<script>${script}</script></head>`);
}

const names = await readdir(folder, { recursive: true });
for (const name of names.filter((file) => file.endsWith('.html'))) {
  const file = join(folder, name);
  const html = await readFile(file, 'utf8');
  await writeFile(file, name === CONSOLE_PAGE ? await finishConsolePage(html) : lowerPreloadPriority(html));
}

const screens = listScreens(await readManifest(folder), folder);
await writeFile(join(folder, 'screens.json'), JSON.stringify(screens));
