/** Words of the frame around the pages that ship without React (product-spec §2). */
export const staticMessages = {
  skip: 'Pular para o conteúdo',
  home: 'página inicial',
  menu: 'Menu',
  navigation: 'Principal',
  theme: 'Alternar tema',
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
} as const;
