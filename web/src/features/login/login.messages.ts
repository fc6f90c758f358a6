/** Texts of the login screen (product-spec §2, §8). */
export const loginMessages = {
  meta: { title: 'Login', description: 'Acesso dos administradores ao console do estúdio.' },
  title: 'Entrar no console',
  username: 'Usuário',
  password: 'Senha',
  submit: 'Entrar',
  usernameRequired: 'Informe o usuário.',
  passwordRequired: 'Informe a senha.',
  failure: 'Erro ao fazer login',
} as const;
