export const settingsMessages = {
  botToken: 'O token do bot tem a forma 123456:ABC-def.',
  chatId: 'O chat ID é um número ou um @canal.',
  incomplete: 'Informe o token do bot e o chat ID antes de enviar uma mensagem de teste.',
  testText: 'Mensagem de teste: as notificações do formulário de contato chegam aqui.',
  testFailed: 'O Telegram não aceitou a mensagem de teste.',
} as const;
