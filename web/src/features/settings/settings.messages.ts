/** Texts of the integrations (product §2, §8). */
export const settingsMessages = {
  telegram: {
    title: 'Integração com Telegram',
    text: 'O bot avisa no chat informado abaixo quando alguém envia o formulário de contato.',
    telegramBotToken: 'Token do Bot do Telegram',
    telegramBotTokenHint: 'O @BotFather mostra o token quando o bot é criado.',
    tokenMask: '••••••••',
    telegramChatId: 'Chat ID do Telegram',
    telegramChatIdHint: 'De uma pessoa, grupo ou canal em que o bot está.',
    save: 'Salvar Configurações',
    test: 'Enviar mensagem de teste',
    testHint: 'O teste usa o que está salvo.',
  },
  integrations: {
    email: {
      title: 'E-mail',
      text: 'As mensagens de contato também vão por e-mail.',
      missing: 'Defina SMTP_URL, CONTACT_EMAIL_FROM e CONTACT_EMAIL_TO na instalação.',
      states: { configured: 'Configurado', missing: 'Não configurado' },
      test: 'Enviar e-mail de teste',
      tested: 'E-mail de teste enviado!',
      failure: 'Falha ao enviar o e-mail de teste.',
    },
    ai: {
      title: 'IA',
      text: 'As sugestões de subdomínios vêm de um modelo.',
      missing: 'Sem AI_BASE_URL ou AI_API_KEY, as sugestões vêm das palavras da descrição.',
      states: { configured: 'Configurada', missing: 'Não configurada' },
      test: 'Testar a IA',
      tested: 'A IA respondeu!',
      failure: 'Falha ao testar a IA.',
    },
  },
  success: { saved: 'Configurações salvas com sucesso!', tested: 'Mensagem de teste enviada!' },
  failure: {
    load: 'Falha ao carregar as configurações.',
    unavailable: 'As configurações não puderam ser carregadas.',
    save: 'Falha ao salvar as configurações.',
    test: 'Falha ao enviar a mensagem de teste.',
  },
} as const;
