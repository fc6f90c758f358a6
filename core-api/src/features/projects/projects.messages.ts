export const projectMessages = {
  nameRequired: 'Informe o nome do projeto.',
  nameLong: 'O nome pode ter no máximo 100 caracteres.',
  type: 'O tipo deve ser proxy ou static.',
  dbPrefix: 'O prefixo aceita só letras, números e sublinhado (até 40 caracteres).',
  apiPort: 'Informe uma porta entre 1 e 65535.',
  ownPort: 'Esta porta é usada pela própria instalação.',
  staticPath: 'Informe um caminho absoluto dentro das pastas permitidas.',
  source: 'A origem deve ser folder ou versions.',
  nameTaken: (name: string) => `Já existe um projeto chamado ${name}.`,
  inUse: (count: number) =>
    count === 1
      ? 'O projeto é usado por 1 tenant e não pode ser removido.'
      : `O projeto é usado por ${count} tenants e não pode ser removido.`,
  notFound: 'Projeto não encontrado.',
} as const;
