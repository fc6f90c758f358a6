const percentFormat = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2, style: 'percent' });

export const uptimeMessages = {
  title: 'Disponibilidade',
  period: (days: number) => `Nos últimos ${days} dias`,
  percent: (value: number) => percentFormat.format(value / 100),
  unknown: 'Ainda não medida',
  unknownHint: 'A medição começa com a primeira verificação regular do destino.',
  downFor: (duration: string) => `Fora do ar por ${duration}`,
  neverDown: 'Nenhuma queda',
  unconfirmed: 'Uma queda está sendo confirmada.',
  days: 'Disponibilidade por dia',
  day: (day: string, value: string) => `${day}: ${value}`,
  noData: 'sem dados',
  incidents: 'Quedas',
  ongoing: 'em curso',
  lasted: (duration: string) => `durou ${duration}`,
  moreIncidents: (count: number) => `e mais ${count} neste período`,
  failure: 'Erro ao carregar a disponibilidade',
  seconds: (count: number) => `${count} s`,
  minutes: (count: number) => `${count} min`,
  hours: (hours: number, minutes: number) => (minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`),
  longDays: (days: number, hours: number) => (hours === 0 ? `${days} d` : `${days} d ${hours} h`),
} as const;
