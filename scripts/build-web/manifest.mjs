import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The router's manifest of a build: its entry and its routes, with the files of each. @param folder the built client */
export async function readManifest(folder) {
  const assets = join(folder, 'assets');
  const name = (await readdir(assets)).find((file) => /^manifest-.*\.js$/.test(file));
  const text = await readFile(join(assets, name), 'utf8');
  return JSON.parse(text.replace(/^window\.__reactRouterManifest=/, '').replace(/;\s*$/, ''));
}

/**
 * The files that the router asks for before it shows a path, its own included.
 * @returns addresses within the site
 */
export function filesOf({ entry, routes }, path) {
  const scripts = new Set([entry.module, ...entry.imports]);
  const styles = new Set();
  const found = Object.values(routes).find((route) => `/${route.path}` === path);
  for (let route = found; route !== undefined; route = routes[route.parentId]) {
    for (const script of [route.module, ...route.imports]) scripts.add(script);
    for (const style of route.css ?? []) styles.add(style.replace('#', ''));
  }
  return { scripts: [...scripts], styles: [...styles] };
}
