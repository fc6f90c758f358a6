/** Words of the command palette. */
export const paletteMessages = {
  title: 'Ir para',
  label: 'Buscar telas, ações, tenants e projetos',
  placeholder: 'Digite o que procura',
  empty: (query: string) => `Nada encontrado para “${query}”.`,
  results: (count: number) => (count === 1 ? '1 resultado' : `${count} resultados`),
  kinds: { screen: 'Tela', action: 'Ação', tenant: 'Tenant', project: 'Projeto', service: 'Serviço' },
  actions: [
    { label: 'Novo Projeto', to: '/projects?novo=1' },
    { label: 'Novo Tenant', to: '/tenants?novo=1' },
    { label: 'Novo Subdomínio', to: '/admin' },
  ],
} as const;
