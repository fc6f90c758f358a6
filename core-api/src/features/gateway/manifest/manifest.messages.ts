export const manifestMessages = {
  failed: 'Não foi possível ler o manifesto do serviço.',
  missing: (triedPaths: readonly string[]) =>
    `O serviço não oferece um manifesto nem um documento OpenAPI. Endereços tentados: ${triedPaths.join(', ')}.`,
  source: 'Informe o documento ou o endereço dele.',
  address: 'Informe um endereço http:// ou https://.',
  status: (status: number) => `O serviço respondeu com o status ${status}.`,
  at: (reason: string, address: string) => `${reason} Endereço tentado: ${address}.`,
  notJson: 'O documento não é um JSON válido.',
  yaml: 'O documento está em YAML. Converta-o para JSON.',
  notUnderstood: 'O documento não está em um formato conhecido: lista de rotas, OpenAPI 3 ou Swagger 2.0.',
  tooMany: (count: number, limit: number) =>
    `O documento tem ${count.toLocaleString('pt-BR')} operações; o limite é de ${limit.toLocaleString('pt-BR')}.`,
  tooDemanding: 'O documento é complexo demais para ser lido.',

  method: (method: string) => `O método ${method} não pode ser usado em uma rota.`,
  notRoute: 'A entrada não tem método e caminho em texto.',
  unreadable: 'A descrição da operação não é um objeto.',
  fragment: 'O caminho tem um #, que nunca chega ao servidor.',
  query: 'O caminho tem uma consulta (?): rotas não se distinguem por ela.',
  partial: (segment: string) => `O trecho ${segment} mistura texto e parâmetro.`,
  doubleSlash: 'O caminho tem barras repetidas.',
  pathRefused: 'O caminho tem caracteres ou trechos que o gateway não aceita.',
  pathLong: 'O caminho é longo demais.',
  same: (method: string, path: string) => `É a mesma rota que ${method} ${path}.`,
  serverVariable: (name: string) => `A variável {${name}} do endereço do servidor não tem valor padrão.`,
  outsideReference: (reference: string) => `A referência ${reference} aponta para fora do documento.`,
  brokenReference: (reference: string) => `A referência ${reference} não leva a nada.`,
} as const;
