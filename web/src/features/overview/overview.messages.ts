const numberFormat = new Intl.NumberFormat('pt-BR');
/** Returns texts like "2 alertas abertos". A no-break space keeps the number beside its noun. */
const createCountText = (singular: string, plural: string) => (count: number) =>
  `${numberFormat.format(count)}\u00a0${count === 1 ? singular : plural}`;

export const overviewMessages = {
  title: 'Visão geral',
  inOrder: 'Tudo em ordem',
  alerts: createCountText('alerta aberto', 'alertas abertos'),
  showAlerts: 'Ver alertas',
  subdomainsDown: createCountText('subdomínio fora do ar', 'subdomínios fora do ar'),
  tenantsDown: createCountText('tenant fora do ar', 'tenants fora do ar'),
  domainsWaiting: createCountText('domínio à espera', 'domínios à espera'),
  certificatesEnding: createCountText('certificado expirando', 'certificados expirando'),
  tokensEnding: createCountText('token perto do fim', 'tokens perto do fim'),
  serverErrors: createCountText('erro na última hora', 'erros na última hora'),
  unread: createCountText('mensagem nova', 'mensagens novas'),
  showRequests: 'Ver requisições',
  showMessages: 'Ver mensagens',
  more: (count: number) => `e mais ${numberFormat.format(count)}`,
  start: {
    title: 'Primeiros passos',
    done: 'feito',
    progress: (done: number, all: number) => `Primeiros passos: ${done} de ${all}`,
    dismiss: 'Dispensar',
    explanation:
      'Um subdomínio publica um serviço num endereço seu; um projeto é um sistema que vários clientes usam; cada cliente de um projeto é um tenant, com endereço e banco de dados próprios.',
    subdomain: 'Publique o primeiro subdomínio',
    project: 'Cadastre um projeto',
    tenant: 'Crie o tenant de um cliente',
    telegram: 'Receba as mensagens de contato no Telegram',
  },
} as const;
