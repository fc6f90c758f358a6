/** Texts that say whether the edges serve a saved host. */
export const liveMessages = {
  active: (host: string) => `${host} já responde com esta configuração.`,
  activeVersion: (host: string) => `${host} já responde com esta versão.`,
  unanswered: 'A configuração está no ar; o destino ainda não respondeu.',
  paused: 'Está pausado: quem visita vê uma página de pausa.',
  pending: 'Ainda não está no ar: a configuração está sendo aplicada.',
  refused: 'Salvo, mas não está no ar.',
} as const;
