import type { RefusalReason } from '../../../routing/refusal-reason';

const seconds = (count: number) => (count === 1 ? '1 segundo' : `${count.toLocaleString('pt-BR')} segundos`);
const requests = (count: number) => (count === 1 ? '1 requisição' : `${count.toLocaleString('pt-BR')} requisições`);

export const dryRunMessages = {
  method: 'Informe um método: GET, POST, PUT, DELETE, PATCH, HEAD ou OPTIONS.',
  path: 'Informe o caminho como o cliente o envia: começa com /, sem espaços nem acentos.',
  key: 'A chave é um texto de até 512 caracteres.',
  address: 'Informe um endereço IP, como 203.0.113.10.',
  call: 'Informe se a chamada deve ser feita: true ou false.',

  pathRead: 'O gateway aceita este caminho.',
  routeFound: 'Há rota para este caminho.',
  methodFits: (method: string, origin: string, service: string) =>
    `A rota ${origin}, do serviço ${service}, atende a ${method}.`,
  otherMethods: (allowed: string) => `As rotas deste caminho atendem a ${allowed}.`,
  isPublic: 'A rota é pública: não pede chave.',
  keyHolds: (name: string, prefix: string | null) =>
    prefix === null ? `A chave ${name} vale.` : `A chave ${name} (${prefix}…) vale.`,
  anyAddress: 'A chave pode ser usada de qualquer endereço.',
  addressListed: (address: string) => `O endereço ${address} está na lista da chave.`,
  addressMissing: (address: string) => `O endereço ${address} não está na lista da chave.`,
  permits: (permission: string) => `A chave permite ${permission}.`,
  permitsNot: (permission: string) => `A chave não permite ${permission}.`,
  leadsTo: (target: string, instances: number) =>
    instances === 1
      ? `A requisição vai para ${target}.`
      : `A requisição vai para ${target}, uma de ${instances} instâncias.`,
  limited: (count: number, period: number) =>
    `A chave tem um limite de ${requests(count)} em ${seconds(period)}. Quanto já foi usado, só a borda sabe.`,

  /** Texts of the step that refuses the request, by the reason of the refusal. */
  refused: {
    path: 'O gateway recusa este caminho: há trechos com pontos, barras repetidas, ou uma barra ou contrabarra codificada.',
    no_route: 'Nenhuma rota atende a este caminho.',
    no_key: 'A rota pede uma chave, e nenhuma foi enviada.',
    unknown_key: 'Não há chave igual à que foi enviada.',
    disabled: 'A chave está desativada.',
    expired: 'A chave expirou.',
    rotated: 'A chave foi trocada, e o prazo da anterior acabou.',
    loop: 'O destino é esta própria instalação.',
  } satisfies Partial<Record<RefusalReason, string>>,

  answered: (status: number, ms: number) => `O serviço respondeu com o status ${status} em ${ms} ms.`,
  own: 'O destino é uma porta desta própria instalação: a chamada não foi feita.',
  forbidden: 'O destino é um endereço que não pode ser chamado.',
  unknownName: 'O nome do destino não foi encontrado.',
  connectionRefused: 'O serviço recusou a conexão.',
  silent: (period: number) => `O serviço não respondeu em ${seconds(period)}.`,
  unreachable: 'O serviço não pôde ser alcançado.',
} as const;
