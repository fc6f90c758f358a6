import { defineConfig } from 'vite';

/** Served by the BFF at `/playground`, assets included; no request leaves the origin. */
export default defineConfig({ root: __dirname, base: '/playground/', build: { chunkSizeWarningLimit: 5_000 } });
