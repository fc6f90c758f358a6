export const outboundMessages = {
  silent: 'O serviço não respondeu em 5 segundos.',
  timeout: 'O documento não chegou em 20 segundos.',
  tooLarge: 'O documento passa de 16 MB.',
  redirect: 'O serviço redireciona para outro endereço.',
  forbidden: 'O endereço do serviço não pode ser acessado.',
  unknownName: 'O nome do serviço não foi encontrado no DNS.',
  unreachable: 'Não foi possível conectar ao serviço.',
} as const;
