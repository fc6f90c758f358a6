export const domainMessages = {
  released: (domain: string) =>
    `O domínio ${domain} pertencia a outro tenant há menos de 30 dias. Comprove que ele é deste cliente.`,
  proof: (name: string, value: string) =>
    `Crie no DNS o registro TXT ${name} com o valor ${value} e repita a operação depois da propagação.`,
} as const;
