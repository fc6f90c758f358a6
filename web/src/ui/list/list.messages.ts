export const listMessages = {
  searchShortcut: '/',
  actions: 'Ações',
  requests: 'Requisições',
  count: (shown: number, total: number) => (shown < total ? `${shown} de ${total}` : `${total} no total`),
  loadMore: 'Carregar mais',
  sort: 'Ordenar por',
  ascending: (column: string) => `${column}, crescente`,
  descending: (column: string) => `${column}, decrescente`,
} as const;
