/** Sentences of the BFF; all others come from the REST core. */
export const messages = {
  unavailable: 'Serviço indisponível. Tente novamente.',
  internal: 'Ocorreu um erro inesperado.',
  notFound: 'Registro não encontrado.',
  unauthenticated: 'Sessão expirada ou inválida. Entre novamente.',
  operationName: 'Diga em operationName qual das operações deve ser executada.',
  subscription: 'O esquema não tem subscriptions.',
  tooManyFields: 'O documento pede campos demais.',
  introspection: 'Entre no console para explorar o esquema.',
  request: 'Requisição inválida.',
  tooLarge: 'Requisição grande demais.',
  encoding: 'Envie o corpo sem compressão, em UTF-8.',
  tooLong: 'O texto é longo demais.',
  unknownPath: 'Caminho não encontrado.',
  contactSent: 'Mensagem enviada com sucesso!',
  contactFailed: 'Ocorreu um erro ao enviar a mensagem.',
  crossSite: 'Envie o formulário a partir deste site.',
} as const;
