/** Words of the frame around the console (product-spec §2). */
export const appMessages = {
  loading: 'Carregando',
  skip: 'Pular para o conteúdo',
  home: 'página inicial',
  navigation: 'Principal',
  menu: 'Menu',
  theme: 'Alternar tema claro e escuro',
  visitor: [
    { label: 'Contato', to: '/contact' },
    { label: 'Login', to: '/login' },
  ],
  administrator: [
    { label: 'Subdomínios', to: '/admin' },
    { label: 'Tenants', to: '/tenants' },
    { label: 'Projetos', to: '/projects' },
    { label: 'Gerenciamento', to: '/gateway/management' },
    { label: 'API Keys', to: '/gateway/keys' },
    { label: 'Métricas', to: '/gateway/metrics' },
    { label: 'Configurações', to: '/settings' },
  ],
  logout: 'Sair',
  rights: 'Todos os direitos reservados',
  offline: 'Você está sem conexão. O que estiver na tela pode estar desatualizado.',
  search: 'Buscar',
  notFound: {
    title: 'Página não encontrada',
    text: 'O endereço pode ter mudado ou nunca ter existido.',
    action: 'Ir para o início',
  },
  crash: {
    title: 'Algo deu errado nesta tela',
    text: 'O que você já salvou está seguro. Recarregue a página para continuar.',
    action: 'Recarregar',
  },
} as const;
