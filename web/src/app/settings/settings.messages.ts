/** Texts of the frame around the settings (product §2). */
export const settingsMessages = {
  title: 'Configurações do Sistema',
  subtitle: 'O que vale para toda a instalação, e a sua conta.',
  tabs: {
    label: 'Seções das configurações',
    integrations: 'Integrações',
    messages: 'Mensagens',
    administrators: 'Administradores',
    account: 'Minha conta',
    tokens: 'Tokens',
    backup: 'Backup',
    activity: 'Atividade',
  },
} as const;
