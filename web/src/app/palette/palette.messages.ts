import { paths, withParams } from '../../lib/routing/paths';

const toSettings = (aba: string) => withParams(paths.settings, { aba });
const toAlerts = (aba: string) => withParams(paths.alerts, { aba });

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
  /** Tabs of screens, with the accounts that may open them. An `unlimited` account is not limited to projects. */
  tabs: [
    { label: 'Integrações', to: toSettings('integracoes'), openTo: 'administrator', searchText: 'Telegram e-mail IA' },
    { label: 'Mensagens', to: toSettings('mensagens'), openTo: 'operator', searchText: 'Contato caixa de entrada' },
    {
      label: 'Administradores',
      to: toSettings('administradores'),
      openTo: 'administrator',
      searchText: 'Contas usuários convites',
    },
    { label: 'Minha conta', to: toSettings('conta'), openTo: 'everybody', searchText: 'Senha segundo fator' },
    { label: 'Tokens', to: toSettings('tokens'), openTo: 'everybody', searchText: 'Contas de serviço' },
    {
      label: 'Backup',
      to: toSettings('backup'),
      openTo: 'administrator',
      searchText: 'Cópias de segurança restaurar',
    },
    { label: 'Atividade', to: toSettings('atividade'), openTo: 'operator', searchText: 'Auditoria histórico' },
    {
      label: 'Serviços',
      to: withParams(paths.gatewayManagement, { tab: 'servicos' }),
      openTo: 'unlimited',
      searchText: 'Gateway',
    },
    {
      label: 'Rotas',
      to: withParams(paths.gatewayManagement, { tab: 'rotas' }),
      openTo: 'unlimited',
      searchText: 'Gateway',
    },
    { label: 'Alertas abertos', to: paths.alerts, openTo: 'unlimited', searchText: '' },
    { label: 'Histórico de alertas', to: toAlerts('historico'), openTo: 'unlimited', searchText: '' },
    { label: 'Canais de alertas', to: toAlerts('canais'), openTo: 'unlimited', searchText: 'Webhook e-mail Telegram' },
    { label: 'Regras de alertas', to: toAlerts('regras'), openTo: 'unlimited', searchText: '' },
    { label: 'Manutenção', to: toAlerts('manutencao'), openTo: 'unlimited', searchText: 'Silêncio janela' },
  ],
  actions: [
    { label: 'Novo Projeto', to: withParams(paths.projects, { novo: '1' }), openTo: 'operator' },
    { label: 'Novo Tenant', to: withParams(paths.tenants, { novo: '1' }), openTo: 'writer' },
    { label: 'Novo subdomínio', to: paths.subdomains, openTo: 'operator' },
    { label: 'Nova chave', to: withParams(paths.gatewayKeys, { nova: '1' }), openTo: 'operator' },
    { label: 'Nova rota', to: withParams(paths.gatewayManagement, { tab: 'rotas', nova: '1' }), openTo: 'operator' },
  ],
  theme: { label: 'Tema', searchText: 'Claro escuro' },
} as const;
