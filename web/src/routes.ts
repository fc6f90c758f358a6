import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { paths } from './app/paths';

/** Maps a path to its module. React Router expects paths without the leading slash. */
const screen = (path: string, file: string) => route(path.slice(1), file);

/** Every screen of product §2; each screen is a chunk of its own. */
export default [
  layout('app/static/StaticShell.tsx', [
    index('features/landing/LandingPage.tsx'),
    screen(paths.notFound, 'app/static/MissingPage.tsx'),
  ]),
  layout('app/Shell.tsx', [
    screen(paths.login, 'features/login/LoginPage.tsx'),
    screen(paths.contact, 'features/contact/ContactPage.tsx'),
    screen(paths.setup, 'features/accounts/SetupPage.tsx'),
    layout('app/console/RequireAuth.tsx', [
      screen(paths.subdomains, 'app/admin/AdminPage.tsx'),
      screen(paths.subdomain, 'app/site/SubdomainPage.tsx'),
      screen(paths.tenants, 'features/tenants/TenantsPage.tsx'),
      screen(paths.tenant, 'app/site/TenantPage.tsx'),
      screen(paths.projects, 'features/projects/ProjectsPage.tsx'),
      screen(paths.project, 'app/site/ProjectPage.tsx'),
      screen(paths.settings, 'app/settings/SettingsPage.tsx'),
      screen(paths.gatewayKeys, 'features/gateway-keys/KeysPage.tsx'),
      screen(paths.gatewayManagement, 'app/gateway/ManagementPage.tsx'),
      screen(paths.gatewayMetrics, 'features/gateway-metrics/MetricsPage.tsx'),
      screen(paths.alerts, 'features/alerts/AlertsPage.tsx'),
    ]),
    route('*', 'app/not-found/NotFoundPage.tsx'),
  ]),
] satisfies RouteConfig;
