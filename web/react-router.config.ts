import type { Config } from '@react-router/dev/config';

/** Static build: public pages are written out, every console route starts from `__spa-fallback.html`. */
export default {
  appDirectory: 'src',
  ssr: false,
  prerender: ['/', '/404', '/contact', '/login'],
} satisfies Config;
