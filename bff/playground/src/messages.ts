export const messages = {
  signedOut: 'Entre no console para usar o playground, ou informe um token de API.',
  signIn: 'Entrar',
  token: 'Token de API',
  placeholder: 'o da sessão',
  use: 'Usar token',
} as const;
