/** Every sentence of the BFF itself; all others come from the REST core. */
export const messages = {
  unavailable: 'Serviço indisponível. Tente novamente.',
  internal: 'Ocorreu um erro inesperado.',
  notFound: 'Registro não encontrado.',
  introspection: 'Entre no console para explorar o esquema.',
  request: 'Requisição inválida.',
  tooLarge: 'Requisição grande demais.',
  unknownPath: 'Caminho não encontrado.',
  contactSent: 'Mensagem enviada com sucesso!',
  contactFailed: 'Ocorreu um erro ao enviar a mensagem.',
  crossSite: 'Envie o formulário a partir deste site.',
} as const;
