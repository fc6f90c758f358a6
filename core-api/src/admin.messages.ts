export const adminMessages = {
  usage: 'Uso: npm run admin -- create NOME | passwd NOME | list | remove NOME',
  password: 'Senha (ao menos 10 caracteres): ',
  created: (name: string) => `Administrador ${name} criado.`,
  changed: (name: string) => `Senha de ${name} trocada; as sessões anteriores foram encerradas.`,
  removed: (name: string) => `Administrador ${name} removido.`,
} as const;
