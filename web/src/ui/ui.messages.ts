/** Loopback addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const LOOPBACK = /^(::1|127\..+)$/;

export const uiMessages = {
  notifications: 'Notificações',
  close: 'Fechar',
  cancel: 'Cancelar',
  save: 'Salvar',
  edit: 'Editar',
  remove: 'Remover',
  removal: 'Confirmar Remoção',
  retry: 'Tentar novamente',
  clearSearch: 'Limpar busca',
  clearFilter: 'Limpar filtro',
  readOnly: 'Somente leitura',
  notPermitted: 'Seu papel não permite abrir esta tela.',
  limited: 'Sua conta é limitada a alguns projetos e não abre esta tela.',
  noneLeft: 'Nada encontrado com este filtro.',
  noMatch: (search: string) => `Nada encontrado para “${search}”.`,
  loading: 'Carregando',
  hasOuterSpace: 'A senha digitada começa ou termina com um espaço.',
  required: 'Preencha este campo.',
  badInput: (type?: string) => (type === 'number' ? 'Digite um número.' : 'Complete este campo.'),
  unreadableFile: 'O arquivo não pôde ser lido. Tente de novo.',
  optional: '(opcional)',
  moreOptions: 'Mais opções',
  reveal: 'Mostrar o texto digitado',
  /** Text about the origin of a call. @param address an IP address */
  from: (address: string) => (LOOPBACK.test(address) ? 'do próprio servidor' : `de ${address}`),
  copied: 'Copiado',
  dialogNotLoaded:
    'Não foi possível abrir. Verifique a conexão e tente de novo; se o sistema acabou de ser atualizado, recarregue a página.',
  copyFailed: 'Não foi possível copiar.',
  draft: {
    restored: 'O que você tinha digitado está de volta.',
    outdated:
      'O que você tinha digitado está de volta. O que está salvo mudou desde então; salvar agora substitui essa mudança.',
    discard: 'Descartar rascunho',
  },
  conflict: { yes: 'Sim', no: 'Não', nothing: 'vazio' },
  discard: {
    title: 'Descartar alterações?',
    text: 'O que você digitou ainda não foi salvo.',
    confirm: 'Descartar',
    cancel: 'Continuar editando',
  },
} as const;
