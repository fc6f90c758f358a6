import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads the router's manifest of a build: the entry and the routes, each with its files.
 * @param folder the built client
 */
export async function readManifest(folder) {
  const assets = join(folder, 'assets');
  const name = (await readdir(assets)).find((file) => /^manifest-.*\.js$/.test(file));
  const text = await readFile(join(assets, name), 'utf8');
  return JSON.parse(text.replace(/^window\.__reactRouterManifest=/, '').replace(/;\s*$/, ''));
}

/**
 * Lists the paths of the screens that start from the console's page: the routes of `web/src/routes.ts` without a
 * prerendered page.
 * @param folder the built client
 */
export function listScreens({ routes }, folder) {
  return Object.values(routes)
    .map(({ path }) => path)
    .filter((path) => path && path !== '*' && !existsSync(join(folder, path, 'index.html')));
}

/**
 * Lists the files that the router requests before it shows a path, including the router's own files.
 * @returns URL paths of the files
 */
export function listFiles({ entry, routes }, path) {
  const scripts = new Set([entry.module, ...entry.imports]);
  const styles = new Set();
  const matchingRoute = Object.values(routes).find((route) => route.path === path);
  for (let route = matchingRoute; route !== undefined; route = routes[route.parentId]) {
    const modules = [route.module, route.clientLoaderModule, ...route.imports];
    for (const script of modules) if (script) scripts.add(script);
    // The router appends `#` to the URL of a style sheet that is also loaded by a dynamic import.
    for (const style of route.css ?? []) styles.add(style.replace('#', ''));
  }
  return { scripts: [...scripts], styles: [...styles] };
}
