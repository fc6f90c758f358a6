export const suggestionMessages = {
  description: 'Descreva o serviço para receber uma sugestão.',
  descriptionLong: 'A descrição pode ter no máximo 500 caracteres.',
  testDescription: 'Loja de bolos na porta 4500',
  modelRefused: (status: number) => `O modelo respondeu com o status ${status}.`,
  modelSilent: 'O modelo não respondeu, ou não como foi pedido.',
  existing: 'Envie os subdomínios existentes como uma lista de textos.',
} as const;
