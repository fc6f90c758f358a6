export const manifestMessages = {
  failed: 'Não foi possível ler o manifesto do serviço.',
  missing: 'O serviço não oferece um manifesto nem um documento OpenAPI.',
  status: (status: number) => `O serviço respondeu com o status ${status}.`,
  notJson: 'O manifesto não é um JSON válido.',
  notUnderstood: 'O manifesto não está em um formato conhecido: lista de rotas ou OpenAPI 3.',
} as const;
