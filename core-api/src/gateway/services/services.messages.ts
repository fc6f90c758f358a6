export const serviceMessages = {
  nameRequired: 'Informe o nome do serviço.',
  name: 'O nome aceita letras minúsculas, números, hífen e sublinhado (até 100 caracteres).',
  hostRequired: 'Informe o host do serviço.',
  host: 'Informe um endereço http:// ou https://, sem usuário, consulta ou âncora.',
  forbiddenHost: 'Este endereço não pode ser usado como destino.',
  ownPort: 'Este endereço é da própria instalação.',
  taken: (name: string) => `Já existe um serviço chamado ${name}.`,
  notFound: 'Serviço não encontrado.',
} as const;
