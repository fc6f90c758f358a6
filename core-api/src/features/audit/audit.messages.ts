export const auditMessages = {
  entity:
    'Filtre por subdomain, tenant, project, settings, service, route, key, admin, contact, token, login, version, policy, domain, alert_channel, alert_rule, mute, maintenance ou backup_plan.',
  actorLong: 'O nome pode ter no máximo 100 caracteres.',
} as const;
