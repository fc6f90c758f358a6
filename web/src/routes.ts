import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every screen of product-spec §2, each a chunk of its own. */
export default [
  layout('app/static/StaticShell.tsx', [
    index('features/landing/LandingPage.tsx'),
    route('404', 'app/static/MissingPage.tsx'),
  ]),
  layout('app/Shell.tsx', [
    route('login', 'features/login/LoginPage.tsx'),
    route('contact', 'features/contact/ContactPage.tsx'),
    layout('app/Guard.tsx', [
      route('admin', 'features/subdomains/SubdomainsPage.tsx'),
      route('tenants', 'features/tenants/TenantsPage.tsx'),
      route('projects', 'features/projects/ProjectsPage.tsx'),
      route('settings', 'features/settings/SettingsPage.tsx'),
      route('gateway/keys', 'features/gateway-keys/KeysPage.tsx'),
      route('gateway/management', 'features/gateway-management/ManagementPage.tsx'),
      route('gateway/metrics', 'features/gateway-metrics/MetricsPage.tsx'),
    ]),
    route('*', 'app/NotFoundPage.tsx'),
  ]),
] satisfies RouteConfig;
