const number = new Intl.NumberFormat('pt-BR');
const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${number.format(count)} ${many}`;

/** Texts of the overview. */
export const overviewMessages = {
  title: 'Visão geral',
  inOrder: 'Tudo em ordem',
  subdomainsDown: counted('subdomínio fora do ar', 'subdomínios fora do ar'),
  tenantsDown: counted('tenant fora do ar', 'tenants fora do ar'),
  domainsWaiting: counted('domínio à espera', 'domínios à espera'),
  certificatesEnding: counted('certificado expirando', 'certificados expirando'),
  faults: counted('erro na última hora', 'erros na última hora'),
  unread: counted('mensagem nova', 'mensagens novas'),
  showMetrics: 'Ver métricas',
  showMessages: 'Ver mensagens',
  more: (count: number) => `e mais ${number.format(count)}`,
  start: {
    title: 'Primeiros passos',
    done: 'feito',
    subdomain: 'Publique o primeiro subdomínio',
    project: 'Cadastre um projeto',
    tenant: 'Crie o tenant de um cliente',
    telegram: 'Receba as mensagens de contato no Telegram',
  },
} as const;
