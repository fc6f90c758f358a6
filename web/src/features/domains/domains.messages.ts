import type { DomainRole } from '../../generated/graph';

const ROLES: Record<DomainRole, string> = {
  primary: 'Principal',
  alias: 'Também mostra o site',
  redirect: 'Redireciona',
};

/** Texts of the tab `Domínios` of a subdomain or tenant. */
export const domainsMessages = {
  title: 'Domínios',
  text: 'Endereços do cliente que mostram este site ou levam a ele.',
  add: 'Adicionar domínio',
  empty: 'Nenhum domínio ainda. O site responde só no endereço do estúdio.',
  roles: ROLES,
  redirectsTo: (host: string) => `para ${host}`,
  makePrimary: 'Tornar principal',
  dialog: {
    title: 'Adicionar domínio',
    host: 'Domínio',
    hostPlaceholder: 'cliente.com.br',
    hostHint: 'Como cliente.com.br. O www vai junto; *.cliente.com.br vale para todos os nomes abaixo dele.',
    role: 'Uso',
    to: 'Redirecionar para',
    toHint: 'Vazio: para o domínio principal do site.',
    www: 'Com e sem www',
    submit: 'Adicionar',
    empty: 'Informe o domínio.',
    proof: 'Crie este registro no DNS do domínio e envie de novo depois da propagação.',
  },
  removal: {
    message: (host: string) => `Deseja realmente remover o domínio ${host}? O site continua nos outros endereços.`,
  },
  success: {
    added: 'Domínio adicionado com sucesso!',
    primary: (host: string) => `${host} agora é o domínio principal.`,
    removed: 'Domínio removido com sucesso!',
  },
  failure: {
    load: 'Falha ao carregar os domínios.',
    add: 'Falha ao adicionar o domínio.',
    primary: 'Falha ao trocar o domínio principal.',
    remove: 'Falha ao remover o domínio.',
    check: 'Falha ao verificar os domínios.',
  },
} as const;
