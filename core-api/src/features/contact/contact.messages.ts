import type { ContactMessage } from './contact.entity';

export const contactMessages = {
  required: 'Por favor, preencha todos os campos',
  email: 'Informe um e-mail válido.',
  nameLong: 'O nome pode ter no máximo 100 caracteres.',
  contactInfoLong: 'O contato pode ter no máximo 255 caracteres.',
  messageLong: 'A mensagem pode ter no máximo 5000 caracteres.',
  lineBreak: 'Este campo não pode ter quebras de linha.',
  handled: 'Informe se a mensagem foi tratada.',
  answered: 'Informe se a mensagem foi respondida.',
  before: 'Continue a lista a partir do next de uma resposta.',
  notFound: 'Mensagem não encontrada.',
  tooMany: 'Você já enviou várias mensagens. Aguarde alguns minutos e tente novamente.',
  testSubject: 'Mensagem de teste',
  testText: 'Mensagem de teste: as mensagens do formulário de contato chegam a este endereço.',
  subject: (name: string) => `Contato pelo site: ${name}`,
  /** Text of the notification. The id lets a reader notice a repeated message. */
  text: ({ _id, name, email, contactInfo, message }: Omit<ContactMessage, 'deliveries'>) =>
    [
      'Nova mensagem pelo site',
      '',
      `Nome: ${name}`,
      `E-mail: ${email}`,
      ...(contactInfo ? [`WhatsApp/Telegram: ${contactInfo}`] : []),
      '',
      message,
      '',
      `Mensagem ${_id}`,
    ].join('\n'),
  notConfigured: 'O canal não está mais configurado.',
} as const;
