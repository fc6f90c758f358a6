/**
 * Texts of the page of an invitation. They are a separate module, so that pages for visitors do not load the texts of
 * the console.
 */
export const setupMessages = {
  title: 'Definir senha',
  text: 'Escolha a senha da sua conta. Depois entre com o seu usuário.',
  account: 'Sua conta:',
  submit: 'Definir senha',
  incomplete: 'O link está incompleto. Peça um novo a um administrador.',
  done: 'Senha definida com sucesso! Entre com o seu usuário.',
  failure: 'Falha ao definir a senha.',
} as const;

/** Texts of the fields of a new password, and of the panel that changes the password of the logged-in account. */
export const passwordMessages = {
  title: 'Alterar senha',
  text: 'As outras sessões desta conta são encerradas.',
  currentPassword: 'Senha atual',
  newPassword: 'Nova senha',
  newPasswordHint: 'Pelo menos 10 caracteres.',
  again: 'Repita a nova senha',
  submit: 'Alterar senha',
  tooShort: 'A nova senha é curta demais.',
  different: 'As senhas não são iguais.',
} as const;
