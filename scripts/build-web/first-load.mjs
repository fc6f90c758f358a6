/**
 * `node scripts/build-web/first-load.mjs FOLDER` prints as JSON how much each page of a built client loads before it is
 * usable. Files that a page loads when it is idle, or on demand, do not count.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { listFiles, readManifest } from './manifest.mjs';

const PAGES = {
  '/': 'index.html',
  '/contact': 'contact/index.html',
  '/login': 'login/index.html',
  '/admin': '__spa-fallback.html',
};

/** Measures the transfer size of files with gzip, kB. @param paths URL paths of the files */
export async function measureSize(folder, paths) {
  const files = await Promise.all(paths.map((path) => readFile(join(folder, path))));
  return files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1000;
}

/**
 * Measures for each page the size of its scripts in kB, and the number of its requests, including the page itself and
 * its queries.
 */
export async function measureFirstLoad(folder) {
  const manifest = await readManifest(folder);
  const pages = Object.entries(PAGES).map(async ([path, htmlFile]) => {
    const html = await readFile(join(folder, htmlFile), 'utf8');
    const hasModules = html.includes('type="module"');
    // Inline scripts are ignored, because those of the head name the files of every screen.
    const namedFiles = html.replace(/<script>.*?<\/script>/gs, '').match(/\/assets\/[\w.-]+/g) ?? [];
    const { scripts, styles } = hasModules ? listFiles(manifest, path) : { scripts: [], styles: [] };
    const files = [...new Set([...namedFiles, ...scripts, ...styles])];
    const kilobytes = await measureSize(
      folder,
      files.filter((file) => file.endsWith('.js')),
    );
    const queryCount = htmlFile === '__spa-fallback.html' ? 1 : 0;
    return [path, { scriptKb: Math.round(kilobytes * 10) / 10, requests: 1 + files.length + queryCount }];
  });
  return Object.fromEntries(await Promise.all(pages));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await measureFirstLoad(process.argv[2])));
}
