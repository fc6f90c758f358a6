/** Every screen of the console, each tab of one apart. */
export const SCREENS = [
  '/admin',
  '/tenants',
  '/projects',
  '/settings',
  '/settings?aba=mensagens',
  '/settings?aba=administradores',
  '/settings?aba=atividade',
  '/gateway/keys',
  '/gateway/management',
  '/gateway/management?tab=rotas',
  '/gateway/metrics',
];
