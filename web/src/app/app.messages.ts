import { paths } from '../lib/routing/paths';

const formatNewCount = (count: number) => (count === 1 ? '1 nova' : `${count} novas`);

/** Words of the frame around the console (product §2). */
export const appMessages = {
  loading: 'Carregando',
  skip: 'Pular para o conteúdo',
  home: 'página inicial',
  navigation: 'Principal',
  menu: 'Menu',
  palette: 'Ir para qualquer tela, tenant ou projeto',
  paletteKeys: 'Ctrl K',
  alerts: (count: number) =>
    count === 0 ? 'Alertas' : count === 1 ? 'Alertas: 1 aberto' : `Alertas: ${count} abertos`,
  account: {
    label: 'Conta',
    messages: (count: number) => (count === 0 ? 'Mensagens' : `Mensagens: ${formatNewCount(count)}`),
    newMessages: formatNewCount,
    roles: { viewer: 'Leitura', operator: 'Operação', administrator: 'Administração' },
    own: 'Senha e segundo fator',
    inbox: 'Mensagens recebidas',
    activity: 'Atividade',
  },
  theme: 'Alternar tema claro e escuro',
  visitor: [
    { label: 'Contato', to: paths.contact },
    { label: 'Login', to: paths.login },
  ],
  administrator: [
    { label: 'Subdomínios', to: paths.subdomains },
    { label: 'Tenants', to: paths.tenants },
    { label: 'Projetos', to: paths.projects },
    { label: 'Gerenciamento', to: paths.gatewayManagement },
    { label: 'API Keys', to: paths.gatewayKeys },
    { label: 'Métricas', to: paths.gatewayMetrics },
    { label: 'Configurações', to: paths.settings },
  ],
  /** Marks the gateway's screens in the menu. */
  gateway: 'Gateway',
  logout: 'Sair',
  rights: 'Todos os direitos reservados',
  offline: 'Você está sem conexão. O que estiver na tela pode estar desatualizado.',
  notFound: {
    title: 'Página não encontrada',
    text: 'O endereço pode ter mudado ou nunca ter existido.',
    action: 'Ir para o início',
  },
  forbidden: { title: 'Sem acesso', action: 'Ir para os tenants' },
  crash: {
    title: 'Algo deu errado nesta tela',
    text: 'O que você já salvou está seguro. Recarregue a página para continuar.',
    action: 'Recarregar',
  },
} as const;
