import { toDisplayHost } from '../../platform/net/hostname';

export const domainMessages = {
  domainRequired: 'O campo de domínio não pode estar vazio.',
  domain: 'Informe um domínio completo, como cliente.com.br.',
  domainOwn: 'Use um domínio do cliente, fora do domínio do estúdio.',
  domainTaken: (domain: string) => `O domínio ${toDisplayHost(domain)} já está em uso.`,
  www: 'Escolha servir os dois endereços ou redirecionar um para o outro.',
  role: 'O papel deve ser primary, alias ou redirect.',
  wildcardRole: 'Um curinga não pode ser o domínio principal.',
  to: 'Informe um domínio completo para onde redirecionar.',
  toItself: 'Um domínio não pode redirecionar para ele mesmo.',
  toRedirect: (domain: string) =>
    `O domínio ${toDisplayHost(domain)} também redireciona. Escolha um que mostre o site.`,
  isTarget: (domain: string) =>
    `O domínio ${toDisplayHost(domain)} redireciona para este, que precisa continuar mostrando o site.`,
  tooMany: (limit: number) => `Um site pode ter no máximo ${limit} domínios.`,
  notFound: 'Domínio não encontrado neste site.',
  released: (domain: string) =>
    `O domínio ${toDisplayHost(domain)} pertencia a outro site há menos de 30 dias. Comprove que ele é deste cliente.`,
  wildcardProof: (domain: string) => `Comprove que o curinga ${toDisplayHost(domain)} é deste cliente.`,
  belowOther: (domain: string) =>
    `O domínio ${toDisplayHost(domain)} fica abaixo de um que outro site já atende. Comprove que ele é deste cliente.`,
  proof: (name: string, value: string) =>
    `Crie no DNS o registro TXT ${name} com o valor ${value} e repita a operação depois da propagação.`,
} as const;
