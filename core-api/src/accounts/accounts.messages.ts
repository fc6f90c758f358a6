export const accountMessages = {
  wrongCredentials: 'Usuário ou senha inválidos.',
  usernameRequired: 'Informe o usuário.',
  passwordRequired: 'Informe a senha.',
  newPasswordShort: 'A nova senha deve ter ao menos 10 caracteres.',
  passwordLong: 'A senha pode ter no máximo 512 caracteres.',
  currentPasswordWrong: 'A senha atual não confere.',
  tooManyFailures: 'Muitas tentativas de login. Aguarde alguns minutos e tente novamente.',
  usernameTaken: (username: string) => `Já existe um administrador chamado ${username}.`,
  unknownUsername: (username: string) => `Não há administrador chamado ${username}.`,
  lastAccount: 'O último administrador não pode ser removido.',
} as const;
