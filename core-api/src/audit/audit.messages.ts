export const auditMessages = {
  entity: 'Filtre por subdomain, tenant, project, settings, service, route, key, admin ou contact.',
  actorLong: 'O nome pode ter no máximo 100 caracteres.',
} as const;
