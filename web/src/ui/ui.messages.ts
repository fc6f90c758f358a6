/** Words that every screen shares. */
export const uiMessages = {
  notifications: 'Notificações',
  close: 'Fechar',
  cancel: 'Cancelar',
  retry: 'Tentar novamente',
  clearSearch: 'Limpar busca',
  noMatch: (query: string) => `Nada encontrado para “${query}”.`,
  searchShortcut: '/',
  actions: 'Ações',
  loading: 'Carregando',
  required: 'Preencha este campo.',
  optional: '(opcional)',
  copy: 'Copiar',
  copied: 'Copiado',
  dialogNotLoaded:
    'Não foi possível abrir. Verifique a conexão e tente de novo; se o sistema acabou de ser atualizado, recarregue a página.',
  copyFailed: 'Não foi possível copiar.',
  count: (shown: number, total: number) => `${shown} de ${total}`,
  sort: 'Ordenar por',
  ascending: (column: string) => `${column}, crescente`,
  descending: (column: string) => `${column}, decrescente`,
  discard: {
    title: 'Descartar alterações?',
    text: 'O que você digitou ainda não foi salvo.',
    confirm: 'Descartar',
    cancel: 'Continuar editando',
  },
} as const;
