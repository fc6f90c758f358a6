import { paths, withParams } from '../paths';

const tab = (aba: string) => withParams(paths.settings, { aba });
const alerts = (aba: string) => withParams(paths.alerts, { aba });

/** Words of the command palette. */
export const paletteMessages = {
  title: 'Ir para',
  label: 'Buscar telas, ações, tenants e projetos',
  placeholder: 'Digite o que procura',
  empty: (query: string) => `Nada encontrado para “${query}”.`,
  results: (count: number) => (count === 1 ? '1 resultado' : `${count} resultados`),
  kinds: {
    screen: 'Tela',
    action: 'Ação',
    tenant: 'Tenant',
    project: 'Projeto',
    service: 'Serviço',
    subdomain: 'Subdomínio',
    key: 'Chave de API',
  },
  /** Tabs of screens, with the accounts that may open them. */
  tabs: [
    { label: 'Integrações', to: tab('integracoes'), for: 'administrator', searchText: 'Telegram e-mail IA' },
    { label: 'Mensagens', to: tab('mensagens'), for: 'operator', searchText: 'Contato caixa de entrada' },
    {
      label: 'Administradores',
      to: tab('administradores'),
      for: 'administrator',
      searchText: 'Contas usuários convites',
    },
    { label: 'Minha conta', to: tab('conta'), for: 'everybody', searchText: 'Senha segundo fator' },
    { label: 'Tokens', to: tab('tokens'), for: 'everybody', searchText: 'Contas de serviço' },
    { label: 'Backup', to: tab('backup'), for: 'administrator', searchText: 'Cópias de segurança restaurar' },
    { label: 'Atividade', to: tab('atividade'), for: 'operator', searchText: 'Auditoria histórico' },
    {
      label: 'Serviços',
      to: withParams(paths.gatewayManagement, { tab: 'servicos' }),
      for: 'unlimited',
      searchText: 'Gateway',
    },
    {
      label: 'Rotas',
      to: withParams(paths.gatewayManagement, { tab: 'rotas' }),
      for: 'unlimited',
      searchText: 'Gateway',
    },
    { label: 'Alertas abertos', to: paths.alerts, for: 'unlimited', searchText: '' },
    { label: 'Histórico de alertas', to: alerts('historico'), for: 'unlimited', searchText: '' },
    { label: 'Canais de alertas', to: alerts('canais'), for: 'unlimited', searchText: 'Webhook e-mail Telegram' },
    { label: 'Regras de alertas', to: alerts('regras'), for: 'unlimited', searchText: '' },
    { label: 'Manutenção', to: alerts('manutencao'), for: 'unlimited', searchText: 'Silêncio janela' },
  ],
  actions: [
    { label: 'Novo Projeto', to: withParams(paths.projects, { novo: '1' }), for: 'operator' },
    { label: 'Novo Tenant', to: withParams(paths.tenants, { novo: '1' }), for: 'writer' },
    { label: 'Novo subdomínio', to: paths.subdomains, for: 'operator' },
    { label: 'Nova chave', to: withParams(paths.gatewayKeys, { nova: '1' }), for: 'operator' },
    { label: 'Nova rota', to: withParams(paths.gatewayManagement, { tab: 'rotas', nova: '1' }), for: 'operator' },
  ],
  theme: { label: 'Tema', searchText: 'Claro escuro' },
} as const;
