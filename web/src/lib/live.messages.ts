/** What became of a save where visitors come. */
export const liveMessages = {
  active: (host: string) => `${host} já responde com esta configuração.`,
  pending: 'Ainda não está no ar: a configuração está sendo aplicada.',
  refused: 'Salvo, mas não está no ar.',
} as const;
