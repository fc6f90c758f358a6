import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { paths } from './app/paths';

/** Maps a path to its module. React Router expects paths without the leading slash. */
const defineScreen = (path: string, file: string) => route(path.slice(1), file);

/** Every screen of product §2; each screen is a chunk of its own. */
export default [
  layout('app/static/StaticShell.tsx', [
    index('features/landing/LandingPage.tsx'),
    defineScreen(paths.notFound, 'app/static/MissingPage.tsx'),
  ]),
  layout('app/Shell.tsx', [
    defineScreen(paths.login, 'features/login/LoginPage.tsx'),
    defineScreen(paths.contact, 'features/contact/ContactPage.tsx'),
    defineScreen(paths.setup, 'features/accounts/SetupPage.tsx'),
    layout('app/console/RequireAuth.tsx', [
      defineScreen(paths.subdomains, 'app/admin/AdminPage.tsx'),
      defineScreen(paths.subdomain, 'app/site/SubdomainPage.tsx'),
      defineScreen(paths.tenants, 'features/tenants/TenantsPage.tsx'),
      defineScreen(paths.tenant, 'app/site/TenantPage.tsx'),
      defineScreen(paths.projects, 'features/projects/ProjectsPage.tsx'),
      defineScreen(paths.project, 'app/site/ProjectPage.tsx'),
      defineScreen(paths.settings, 'app/settings/SettingsPage.tsx'),
      defineScreen(paths.gatewayKeys, 'features/gateway-keys/KeysPage.tsx'),
      defineScreen(paths.gatewayManagement, 'app/gateway/ManagementPage.tsx'),
      defineScreen(paths.gatewayMetrics, 'features/gateway-metrics/MetricsPage.tsx'),
      defineScreen(paths.alerts, 'features/alerts/AlertsPage.tsx'),
    ]),
    route('*', 'app/not-found/NotFoundPage.tsx'),
  ]),
] satisfies RouteConfig;
