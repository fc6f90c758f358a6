export const seedMessages = {
  usage:
    'Uso: npm run seed -- [--subdomains N] [--projects N] [--tenants N] [--keys N] [--services N] [--routes N] [--messages N] [--env-file ARQUIVO]',
  number: (option: string) => `--${option}: informe um número inteiro de 0 a 1000000.`,
  added: (counts: readonly (readonly [name: string, count: number])[]) =>
    `Dados de demonstração incluídos: ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}.`,
} as const;
