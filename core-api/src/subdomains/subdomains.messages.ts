export const subdomainMessages = {
  required: 'Subdomínio e descrição são obrigatórios.',
  label: 'Use só letras sem acento, números e hifens no meio (até 63 caracteres).',
  reserved: 'Este subdomínio é reservado.',
  taken: (subdomain: string) => `O subdomínio ${subdomain} já está em uso.`,
  descriptionLong: 'A descrição pode ter no máximo 500 caracteres.',
  type: 'O tipo deve ser proxy, static ou tunnel.',
  port: 'Informe uma porta entre 1 e 65535.',
  ownPort: 'Esta porta é usada pela própria instalação.',
  staticPath: 'Informe um caminho absoluto dentro das pastas permitidas.',
  targetHost: 'Informe um nome de host ou endereço IP válido.',
  forbiddenHost: 'Este endereço não pode ser usado como destino.',
  notFound: 'Subdomínio não encontrado.',
} as const;
