export const databaseMessages = {
  newerSchema: (variable: string, stored: string, newestKnown: string) =>
    `${variable}: o banco de dados está na versão ${stored}, que esta instalação não conhece (a dela é ${newestKnown}). Use a versão mais nova do programa ou restaure um backup anterior.`,
  stale: 'Outra pessoa alterou este registro enquanto você o editava. Nada foi salvo.',
  unknownRow: 'A linha depois da qual a lista continuaria não existe mais. Comece do início.',
} as const;
