import type { Config } from '@react-router/dev/config';
import { paths } from './src/lib/routing/paths';

/**
 * Static build: public pages are prerendered, and every console route starts from `__spa-fallback.html`. The script
 * `build` moves the finished build to `build/client`, so that a running BFF never serves a part of it.
 */
export default {
  appDirectory: 'src',
  buildDirectory: 'build/next',
  ssr: false,
  future: { v8_splitRouteModules: true },
  prerender: [paths.home, paths.notFound, paths.contact, paths.login],
} satisfies Config;
