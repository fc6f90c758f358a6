import { getCommandLine } from '../installation/command-name';

export const secretMessages = {
  short: (name: string) => `${name}: deve ter ao menos 32 bytes`,
  notAKey: (name: string) => `${name}: deve ter 32 bytes, em base64 ou hexadecimal`,
  shortFile: (name: string, path: string) =>
    `${name}: o arquivo ${path} está vazio ou incompleto; recupere-o da cópia de segurança ou troque-o com ${getCommandLine('admin')} replace-secret ${name}`,
  mismatch: (name: string) =>
    `${name}: não é o segredo com que este banco de dados foi gravado; use o mesmo em todas as máquinas, ou troque-o com ${getCommandLine('admin')} replace-secret ${name}`,
  usage: `Uso: ${getCommandLine('admin')} replace-secret JWT_SECRET | SETTINGS_KEY [--lost]`,
  askNew: (name: string) => `Novo valor de ${name} (vazio: gerar um): `,
  oldIsGone:
    'A chave atual não abre o que está gravado. Com --lost a troca é feita assim mesmo, e o token do Telegram terá de ser digitado de novo.',
  replaced: (name: string) => `${name} trocado.`,
  setVariable: (name: string, value: string) => `Grave na configuração de cada máquina: ${name}=${value}`,
  kept: (path: string) => `O novo valor está em ${path}.`,
  signedOut: 'Todas as sessões foram encerradas.',
  reencrypted: (count: number) => `Valores cifrados de novo: ${count}.`,
  dropped: (count: number) => `Valores que não puderam ser abertos e foram apagados: ${count}.`,
} as const;
