export const outboundMessages = {
  timeout: 'O serviço não respondeu em 5 segundos.',
  tooLarge: 'O documento passa de 1 MB.',
  redirect: 'O serviço redireciona para outro endereço.',
  forbidden: 'O endereço do serviço não pode ser acessado.',
  unknownName: 'O nome do serviço não foi encontrado no DNS.',
  unreachable: 'Não foi possível conectar ao serviço.',
} as const;
