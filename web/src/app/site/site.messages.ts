/** Texts of the pages of one subdomain, one tenant and one project. */
export const siteMessages = {
  move: 'Mover',
  tabs: {
    overview: 'Visão geral',
    versions: 'Versões',
    rules: 'Regras',
    domains: 'Domínios',
    requests: 'Requisições',
  },
  subdomain: {
    list: 'Subdomínios',
    tabs: 'Seções do subdomínio',
    missing: {
      title: 'Subdomínio não encontrado',
      text: (host: string) => `${host} não existe ou foi removido.`,
      action: 'Ver todos os subdomínios',
    },
    failure: 'Erro ao carregar subdomínio',
  },
  tenant: {
    list: 'Tenants',
    title: 'Tenant',
    tabs: 'Seções do tenant',
    missing: {
      title: 'Tenant não encontrado',
      text: 'Este tenant não existe ou foi removido.',
      action: 'Ver todos os tenants',
    },
    failure: 'Erro ao carregar tenant',
  },
  project: {
    list: 'Projetos',
    title: 'Projeto',
    tabs: 'Seções do projeto',
    missing: {
      title: 'Projeto não encontrado',
      text: 'Este projeto não existe ou foi removido.',
      action: 'Ver todos os projetos',
    },
    failure: 'Erro ao carregar projeto',
  },
} as const;
