/** Texts of the login screen (product §2, §8). */
export const loginMessages = {
  meta: { title: 'Login', description: 'Acesso dos administradores ao console do estúdio.' },
  title: 'Entrar no console',
  username: 'Usuário',
  password: 'Senha',
  code: 'Código do aplicativo autenticador',
  codeHint: 'Seis números, ou um código de recuperação.',
  submit: 'Entrar',
  usernameRequired: 'Informe o usuário.',
  passwordRequired: 'Informe a senha.',
  failure: 'Erro ao fazer login',
} as const;
