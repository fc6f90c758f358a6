import { defineConfig } from 'vite';

/** The BFF serves the page and its assets below `/playground`, so no request leaves the origin. */
export default defineConfig({ root: __dirname, base: '/playground/', build: { chunkSizeWarningLimit: 5_000 } });
