import { reactRouter } from '@react-router/dev/vite';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { sharedFiles } from './chunks.ts';
import { iconCss } from './icon-css.ts';

/** The core receives uploads. */
const CORE = `http://127.0.0.1:${process.env.CORE_PORT ?? 3002}`;
const BFF = `http://127.0.0.1:${process.env.BFF_PORT ?? 3001}`;

/**
 * Lets the file of a route contain modules that others share. The default of the router gives each route a file that
 * only imports a shared one, which costs a round trip.
 */
const sharedRoutes: Plugin = {
  name: 'shared-routes',
  applyToEnvironment: ({ name }) => name === 'client',
  options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [iconCss(), reactRouter(), sharedRoutes],
  // Without this condition, Apollo's RxJS is resolved as ES5 with helpers.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  build: isSsrBuild ? {} : { rolldownOptions: { output: { codeSplitting: { groups: sharedFiles() } } } },
  // A dependency that is found while a page loads would make Vite reload the page.
  optimizeDeps: { entries: ['src/**/*.{ts,tsx}', '!src/**/*.test.ts'] },
  server: { proxy: { '/graphql': BFF, '/playground': BFF, '/api': CORE } },
}));
