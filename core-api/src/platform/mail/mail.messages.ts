export const mailMessages = {
  failed: (reason: string) => `O servidor de e-mail não aceitou a mensagem: ${reason}`,
} as const;
