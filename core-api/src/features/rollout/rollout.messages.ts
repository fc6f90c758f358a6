export const rolloutMessages = {
  own: 'O destino é a própria instalação.',
  unusable: 'A configuração não pode ser servida.',
  noEdge: 'Nenhum servidor de entrada está ativo; a mudança vale assim que um iniciar.',
  notYet: 'Os servidores de entrada ainda não confirmaram a mudança.',
} as const;
