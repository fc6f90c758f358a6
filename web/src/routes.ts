import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { paths } from './lib/routing/paths';

/** Every screen of product §2; each screen is a chunk of its own. */
export default [
  layout('app/static/StaticShell.tsx', [
    index('features/landing/LandingPage.tsx'),
    route(paths.notFound, 'app/static/StaticNotFoundPage.tsx'),
  ]),
  layout('app/Shell.tsx', [
    route(paths.login, 'features/login/LoginPage.tsx'),
    route(paths.contact, 'features/contact/ContactPage.tsx'),
    route(paths.setup, 'features/accounts/SetupPage.tsx'),
    layout('app/console/RequireAuth.tsx', [
      route(paths.subdomains, 'app/admin/AdminPage.tsx'),
      route(paths.subdomain, 'app/site/SubdomainPage.tsx'),
      route(paths.tenants, 'features/tenants/TenantsPage.tsx'),
      route(paths.tenant, 'app/site/TenantPage.tsx'),
      route(paths.projects, 'features/projects/ProjectsPage.tsx'),
      route(paths.project, 'app/site/ProjectPage.tsx'),
      route(paths.settings, 'app/settings/SettingsPage.tsx'),
      route(paths.gatewayKeys, 'features/gateway-keys/KeysPage.tsx'),
      route(paths.gatewayManagement, 'app/gateway/ManagementPage.tsx'),
      route(paths.gatewayMetrics, 'features/gateway-metrics/MetricsPage.tsx'),
      route(paths.alerts, 'features/alerts/AlertsPage.tsx'),
    ]),
    route('*', 'app/not-found/NotFoundPage.tsx'),
  ]),
] satisfies RouteConfig;
