import { paths, withParams } from '../paths';

/** Words of the command palette. */
export const paletteMessages = {
  title: 'Ir para',
  label: 'Buscar telas, ações, tenants e projetos',
  placeholder: 'Digite o que procura',
  empty: (query: string) => `Nada encontrado para “${query}”.`,
  results: (count: number) => (count === 1 ? '1 resultado' : `${count} resultados`),
  kinds: { screen: 'Tela', action: 'Ação', tenant: 'Tenant', project: 'Projeto', service: 'Serviço' },
  actions: [
    { label: 'Novo Projeto', to: withParams(paths.projects, { novo: '1' }) },
    { label: 'Novo Tenant', to: withParams(paths.tenants, { novo: '1' }) },
    { label: 'Novo Subdomínio', to: paths.subdomains },
  ],
} as const;
