import type { RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';

/** Files of a build's `assets` have a hash of their content in their name, so a browser may keep them for ever. */
const HASHED_ASSET = /[\\/]assets[\\/]/;

/** Serves the files of a build, or the `.br` and `.gz` files that `scripts/build-web/precompress.mjs` wrote beside them. */
export const serveBuiltFiles = (root: string): RequestHandler =>
  expressStaticGzip(root, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: {
      dotfiles: 'ignore',
      redirect: false,
      setHeaders: (response, file) => {
        const caching = HASHED_ASSET.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache';
        response.setHeader('Cache-Control', caching);
      },
    },
  });
