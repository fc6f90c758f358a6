import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { createChunkGroups } from './chunks.ts';
import { iconCss } from './icon-css.ts';
import { inlineScript } from './inline-script.ts';

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

/** The router's build without warnings for developers. The `exports` of its package name only the other build. */
const ROUTER = fileURLToPath(new URL('../production/', import.meta.resolve('react-router')));
const productionRouter = [
  { find: /^react-router$/, replacement: `${ROUTER}index.mjs` },
  { find: /^react-router[/]dom$/, replacement: `${ROUTER}dom-export.mjs` },
];

/** Emotion imports these packages only for `withTheme`. They do not declare that they have no side effects. */
const UNUSED_PACKAGES = /[/]node_modules[/](hoist-non-react-statics|react-is)[/]/;

const clientBuild = {
  output: { codeSplitting: { groups: createChunkGroups() } },
  treeshake: { moduleSideEffects: [{ test: UNUSED_PACKAGES, sideEffects: false }] },
};

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [iconCss(), inlineScript(), reactRouter(), sharedRoutes],
  resolve: {
    // Without this condition, Apollo's RxJS is resolved as ES5 with helpers.
    conditions: ['es2015', ...defaultClientConditions],
    alias: command === 'build' && !isSsrBuild ? productionRouter : [],
  },
  build: isSsrBuild ? {} : { rolldownOptions: clientBuild },
  // A dependency that is found while a page loads would make Vite reload the page.
  optimizeDeps: { entries: ['src/**/*.{ts,tsx}', '!src/**/*.test.ts'] },
  server: { proxy: { '/graphql': BFF, '/playground': BFF, '/api': CORE } },
}));
