export const integrationMessages = {
  email: {
    notConfigured: 'O e-mail não está configurado: faltam SMTP_URL, CONTACT_EMAIL_FROM ou CONTACT_EMAIL_TO.',
    failed: 'O servidor de e-mail não aceitou a mensagem de teste.',
  },
  ai: {
    notConfigured: 'A IA não está configurada: faltam AI_BASE_URL ou AI_API_KEY.',
    failed: 'A IA não respondeu ao teste.',
  },
} as const;
