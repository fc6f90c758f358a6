export const httpMessages = {
  invalid: 'Verifique os campos destacados.',
  unauthenticated: 'Sessão expirada ou inválida. Entre novamente.',
  notFound: 'Endereço não encontrado.',
  wrongMethod: 'Método não permitido para este endereço.',
  notJson: 'O corpo da requisição não é um JSON válido.',
  noObject: 'O corpo da requisição deve ser um objeto JSON.',
  wrongType: 'Envie o corpo como application/json em UTF-8.',
  tooLarge: 'O corpo da requisição é maior do que o permitido.',
  badPath: 'O endereço contém caracteres inválidos.',
  unavailable: 'Serviço indisponível no momento. Tente novamente em instantes.',
  unexpected: 'Ocorreu um erro inesperado. Tente novamente.',
  flag: 'Informe verdadeiro ou falso.',
} as const;
