/** The name of one row of a list, and of several. */
export type Nouns = readonly [one: string, many: string];

export const listMessages = {
  searchShortcut: '/',
  actions: 'Ações',
  requests: 'Requisições',
  search: ([, many]: Nouns) => `Buscar ${many}`,
  count: (shown: number, total: number, [one, many]: Nouns) =>
    `${shown < total ? `${shown} de ` : ''}${total} ${total === 1 ? one : many}`,
  loadMore: 'Carregar mais',
  sort: 'Ordenar por',
  ascending: (column: string) => `${column}, crescente`,
  descending: (column: string) => `${column}, decrescente`,
} as const;
