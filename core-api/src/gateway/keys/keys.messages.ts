export const keyMessages = {
  nameRequired: 'O nome é obrigatório',
  nameLong: 'O nome pode ter no máximo 100 caracteres.',
  permissionRequired: 'Selecione ao menos uma permissão',
  permission: 'As permissões têm a forma *, recurso:acao ou recurso:*.',
  allowedIps: 'Informe endereços IP ou blocos CIDR, como 203.0.113.10 ou 10.0.0.0/8.',
  sortBy: 'Ordene por name, usageCount, createdAt ou lastUsedAt.',
  order: 'A ordem é asc ou desc.',
  notFound: 'Chave não encontrada.',
} as const;
