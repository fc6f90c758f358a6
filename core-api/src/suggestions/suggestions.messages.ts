export const suggestionMessages = {
  description: 'Descreva o serviço para receber uma sugestão.',
  descriptionLong: 'A descrição pode ter no máximo 500 caracteres.',
  existing: 'Envie os subdomínios existentes como uma lista de textos.',
} as const;
