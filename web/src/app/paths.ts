/** Every path of the app; those from `subdomains` on are the console's, for administrators only. */
export const paths = {
  home: '/',
  notFound: '/404',
  contact: '/contact',
  login: '/login',
  setup: '/setup',
  subdomains: '/admin',
  tenants: '/tenants',
  projects: '/projects',
  settings: '/settings',
  gatewayKeys: '/gateway/keys',
  gatewayManagement: '/gateway/management',
  gatewayMetrics: '/gateway/metrics',
} as const;

/** A path with search parameters: `withParams(paths.projects, { novo: '1' })` is `/projects?novo=1`. */
export const withParams = (path: string, params: Record<string, string>): string =>
  `${path}?${new URLSearchParams(params)}`;
