export const telegramMessages = {
  timedOut: 'O Telegram não respondeu a tempo.',
  unreachable: 'Não foi possível conectar ao Telegram.',
  notUnderstood: 'A resposta do Telegram não foi entendida.',
} as const;
