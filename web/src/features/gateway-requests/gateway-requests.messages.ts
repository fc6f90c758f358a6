const numberFormat = new Intl.NumberFormat('pt-BR');

export const requestsMessages = {
  title: 'Últimas requisições',
  titleOf: (name: string) => `Últimas requisições de ${name}`,
  status: {
    label: 'Mostrar',
    options: [
      { value: '', label: 'Todas' },
      { value: 'refused', label: 'Só as recusadas' },
      { value: '2xx', label: 'Com sucesso (2xx)' },
      { value: '4xx', label: 'Erros de quem chama (4xx)' },
      { value: '5xx', label: 'Erros do servidor (5xx)' },
    ],
  },
  live: 'Ao vivo',
  paused: (time: string) => `Parado desde ${time}`,
  pause: 'Parar',
  resume: 'Continuar',
  shown: (count: number) => (count === 1 ? '1 requisição' : `${numberFormat.format(count)} requisições`),
  sampled: (rows: number, requests: number) =>
    `Com muito movimento só uma amostra é guardada: estas ${numberFormat.format(rows)} linhas valem por ${numberFormat.format(requests)} requisições.`,
  weight: (requests: number) => `×${numberFormat.format(requests)}`,
  weightTitle: (requests: number) => `Esta linha vale por ${numberFormat.format(requests)} requisições.`,
  copyId: (id: string) => `Copiar o id da requisição ${id}`,
  serviceResponse: 'Resposta do serviço',
  clientGone: 'Quem chamou desistiu',
  deletedKey: 'chave deletada',
  kinds: { subdomain: 'subdomínio', tenant: 'tenant' } as Readonly<Record<string, string>>,
  empty: 'Nenhuma requisição ainda. Elas aparecem aqui em até 3 segundos.',
  noMatch: 'Nenhuma requisição assim entre as guardadas.',
  showAll: 'Mostrar todas',
  failure: 'Falha ao carregar as requisições.',
} as const;
