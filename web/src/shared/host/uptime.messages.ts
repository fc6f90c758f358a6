const percentFormat = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2, style: 'percent' });

export const uptimeMessages = {
  title: (days: number) => `Disponibilidade dos últimos ${days} dias`,
  percent: (value: number) => percentFormat.format(value / 100),
  incidents: (count: number, last: string) => (count === 1 ? `1 queda, ${last}` : `${count} quedas, a última ${last}`),
  ongoing: 'em curso',
  unconfirmed: 'queda a confirmar',
} as const;
