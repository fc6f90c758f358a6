export const keyMessages = {
  nameRequired: 'O nome é obrigatório',
  nameLong: 'O nome pode ter no máximo 100 caracteres.',
  permissionRequired: 'Selecione ao menos uma permissão',
  permission: 'As permissões têm a forma *, recurso:acao ou recurso:*.',
  allowedIps: 'Informe endereços IP ou blocos CIDR, como 203.0.113.10 ou 10.0.0.0/8.',
  note: 'A observação pode ter no máximo 500 caracteres.',
  expiresAt: 'Informe a validade como 2026-01-15T12:30:00Z, ou nada.',
  disabled: 'Informe se a chave está desativada: true ou false.',
  rateLimit: 'O limite vai de 1 a 1.000.000 requisições em 1 a 86.400 segundos.',
  graceSeconds: 'O prazo da chave anterior vai de 0 a 604.800 segundos.',
  status: 'O status é active, expiring, expired, disabled ou rotating.',
  notFound: 'Chave não encontrada.',
} as const;
