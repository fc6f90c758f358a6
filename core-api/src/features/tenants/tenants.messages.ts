export const tenantMessages = {
  nameRequired: 'Informe o nome do tenant.',
  nameLong: 'O nome pode ter no máximo 100 caracteres.',
  projectRequired: 'Selecione o projeto.',
  unknownProject: 'O projeto informado não existe.',
  subdomainRequired: 'Informe o subdomínio.',
  subdomainFixed: 'O subdomínio de um tenant não pode ser trocado.',
  label: 'Use só letras sem acento, números e hifens no meio (até 63 caracteres).',
  reserved: 'Este subdomínio é reservado.',
  subdomainTaken: (subdomain: string) => `O subdomínio ${subdomain} já está em uso.`,
  dbName: 'O nome do banco não pode ter espaços, /, \\ nem ", e tem no máximo 63 bytes.',
  derivedNameLong: (dbName: string, bytes: number) =>
    `O banco de dados se chamaria ${dbName}, com ${bytes} bytes; o máximo é 63. Use um nome mais curto.`,
  derivedNameInvalid: 'O nome do banco vem deste nome e não pode ter /, \\ nem ".',
  dbNameTaken: (dbName: string) => `O banco de dados ${dbName} já pertence a outro tenant.`,
  responsibleLong: 'Use no máximo 255 caracteres.',
  source: 'A origem deve ser project ou versions.',
  notFound: 'Tenant não encontrado.',
} as const;
