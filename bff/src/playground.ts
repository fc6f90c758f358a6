import { join } from 'node:path';
import { Router } from 'express';
import { serveBuiltFiles } from './http/files';

const BUILD = join(__dirname, '../playground/dist');

/** Monaco inserts inline styles, and starts its workers from this origin and from blob URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves GraphiQL, as built by `bff/playground`, at `/playground`. */
export function createPlaygroundRouter(): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set('Content-Security-Policy', POLICY);
    next();
  });
  router.get('/', (_request, response) => response.sendFile(join(BUILD, 'index.html')));
  router.use(serveBuiltFiles(BUILD));
  return router;
}
