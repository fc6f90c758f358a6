import type { Config } from '@react-router/dev/config';
import { paths } from './src/app/paths';

/** Static build: public pages are prerendered, and every console route starts from `__spa-fallback.html`. */
export default {
  appDirectory: 'src',
  ssr: false,
  future: { v8_splitRouteModules: true },
  prerender: [paths.home, paths.notFound, paths.contact, paths.login],
} satisfies Config;
