import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { serveBuiltFiles } from '../http/files';
import { createContactRouter } from './contact';
import { type Installation, type Page, readPage } from './page';

/** Paths of the screens, which the build takes from the console's router (`web/src/routes.ts`). */
const screenPaths = z.array(z.string().startsWith('/')).min(1);

/** Public pages, each prerendered. */
const PUBLIC_PAGES = { '/': 'index.html', '/login': 'login/index.html', '/contact': 'contact/index.html' };

/** Other text files that hold placeholders, with their media types. */
const TEXTS = {
  'robots.txt': 'text/plain',
  'sitemap.xml': 'application/xml',
  'site.webmanifest': 'application/manifest+json',
};

/** This file identifies a build: each build writes it anew. */
const SCREENS_FILE = 'screens.json';

/**
 * Serves the built web app: prerendered pages, the console's page, files, and 404 for other paths. A new build is read
 * at the next request. The files of a new build have other names, so pages of the old build would load scripts that no
 * longer exist.
 * @param webRoot folder of the build (`web/build/client`)
 */
export function createSiteHandler(webRoot: string, coreUrl: string, installation: Installation): RequestHandler {
  // The inode distinguishes builds whose files have the same time.
  const identifyBuild = () => {
    const file = statSync(join(webRoot, SCREENS_FILE), { throwIfNoEntry: false });
    return file && `${file.ino} ${file.mtimeMs}`;
  };
  let servedBuild = identifyBuild();
  let router = createBuildRouter(webRoot, coreUrl, installation);
  return (request, response, next) => {
    const currentBuild = identifyBuild();
    if (currentBuild !== undefined && currentBuild !== servedBuild) {
      router = createBuildRouter(webRoot, coreUrl, installation);
      servedBuild = currentBuild;
    }
    router(request, response, next);
  };
}

/** The routes of one build, whose pages are read once. */
function createBuildRouter(webRoot: string, coreUrl: string, installation: Installation): Router {
  const router = Router();
  const readBuiltPage = (file: string, type: string): Page => {
    const page = readPage(join(webRoot, file), type, installation);
    if (!page) throw new Error(`the web build lacks ${file}`);
    return page;
  };
  const consolePage = readBuiltPage('__spa-fallback.html', 'html');
  const missingPage = readBuiltPage('404/index.html', 'html');
  const screens = screenPaths.parse(JSON.parse(readFileSync(join(webRoot, SCREENS_FILE), 'utf8')));

  for (const [path, file] of Object.entries(PUBLIC_PAGES)) {
    const page = readBuiltPage(file, 'html');
    router.get(path, (request, response) => page.send(request, response, 200));
    if (path === '/contact') router.use(createContactRouter(page, coreUrl));
  }
  // Until the scripts of the page have run, the browser itself sends the login form. The fields are never read.
  router.post('/login', (_request, response) => response.redirect(303, '/login'));
  for (const [file, type] of Object.entries(TEXTS)) {
    const page = readBuiltPage(file, type);
    router.get(`/${file}`, (request, response) => page.send(request, response, 200));
  }
  router.get(screens, (request, response) => consolePage.send(request, response, 200));

  // Requests for a page by its file name get 404, because the file contains unfilled placeholders.
  router.get(/\.html$/, (request, response) => missingPage.send(request, response, 404));
  // Express decodes the path to match this route, so a malformed escape gets our 400, not that of the file middleware.
  router.get('/{*path}', (_request, _response, next) => next());
  router.use(serveBuiltFiles(webRoot));
  router.get('/{*path}', (request, response) => missingPage.send(request, response, 404));
  return router;
}
