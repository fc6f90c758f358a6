export const healthMessages = {
  states: { up: 'No ar', down: 'Fora do ar', unknown: 'Não verificado' },
  paused: 'Pausado',
  checked: 'verificado',
  check: (name: string) => `Verificar ${name} agora`,
} as const;
