/** Every path of the app. The paths from `subdomains` on require a login. */
export const paths = {
  home: '/',
  notFound: '/404',
  contact: '/contact',
  login: '/login',
  setup: '/setup',
  subdomains: '/admin',
  subdomain: '/admin/subdomains/:label',
  tenants: '/tenants',
  tenant: '/tenants/:id',
  projects: '/projects',
  project: '/projects/:id',
  settings: '/settings',
  gatewayKeys: '/gateway/keys',
  gatewayManagement: '/gateway/management',
  gatewayMetrics: '/gateway/metrics',
  alerts: '/alerts',
} as const;

/** Property of the router's location state that a login sets when it opens `paths.subdomains`. */
export const AFTER_LOGIN = 'afterLogin';

const SCREENS_OF_LIMITED_ACCOUNTS: readonly string[] = [paths.tenants, paths.projects, paths.settings];

/** Whether an account that is limited to projects may open a screen. */
export const isOpenToLimitedAccounts = (path: string): boolean =>
  SCREENS_OF_LIMITED_ACCOUNTS.some((screen) => path === screen || path.startsWith(`${screen}/`));

export const isGatewayPath = (path: string): boolean => path.startsWith('/gateway/');

/** A path with search parameters: `withParams(paths.projects, { novo: '1' })` is `/projects?novo=1`. */
export const withParams = (path: string, params: Record<string, string>): string =>
  `${path}?${new URLSearchParams(params)}`;

export const messagesPath = withParams(paths.settings, { aba: 'mensagens' });

/** The tab of the settings with the password and the second factor of the logged-in account. */
export const accountPath = withParams(paths.settings, { aba: 'conta' });

export const toSubdomainPath = (label: string): string => paths.subdomain.replace(':label', encodeURIComponent(label));

/** The tab of a subdomain's page that publishes its versions. */
export const toVersionsPath = (label: string): string => withParams(toSubdomainPath(label), { aba: 'versoes' });

export const toTenantPath = (id: string): string => paths.tenant.replace(':id', encodeURIComponent(id));

export const toTenantDomainsPath = (id: string, params: Record<string, string> = {}): string =>
  withParams(toTenantPath(id), { aba: 'dominios', ...params });

export const toProjectPath = (id: string): string => paths.project.replace(':id', encodeURIComponent(id));
