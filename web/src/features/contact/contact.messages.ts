/** All texts of the contact page. Product §2, §5 and §8 quote some of them. */
export const contactMessages = {
  meta: {
    title: 'Vamos conversar',
    description:
      'Conte a sua ideia e agende a primeira consulta estratégica, gratuita. Em sete dias ela pode estar no ar.',
  },
  title: 'Vamos Conversar;',
  text: 'Conte em poucas linhas o que você quer lançar. A primeira consulta estratégica é gratuita.',
  next: {
    title: 'O que acontece depois',
    steps: [
      'Lemos a sua mensagem e respondemos por e-mail ou pelo contato que você deixar.',
      'Marcamos a consulta gratuita e entendemos o problema a fundo.',
      'Dizemos o que cabe em sete dias. Seguir ou não é decisão sua.',
    ],
  },
  fields: {
    name: 'Nome',
    email: 'E-mail',
    contactInfo: 'WhatsApp ou Telegram',
    message: 'Mensagem',
    website: 'Deixe este campo em branco',
  },
  hints: { message: 'Qual problema você quer resolver, e para quem?' },
  submit: 'Enviar Mensagem',
  sending: 'Enviando',
  problems: {
    incomplete: 'Por favor, preencha todos os campos',
    name: 'Informe o seu nome.',
    emailMissing: 'Informe o seu e-mail.',
    emailInvalid: 'Informe um e-mail válido.',
    message: 'Escreva a sua mensagem.',
    failed: 'Ocorreu um erro ao enviar a mensagem.',
  },
  sent: 'Mensagem enviada com sucesso!',
} as const;
