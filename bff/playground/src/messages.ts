export const messages = {
  signedOut: 'Entre no console para usar o playground: o esquema e as consultas só respondem a administradores.',
  signIn: 'Entrar',
} as const;
