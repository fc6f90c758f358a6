/** All texts of the landing page, in their order of appearance. Product §2 quotes some of them. */
export const landingMessages = {
  meta: {
    title: 'Sua ideia, lançada em 7 dias',
    description:
      'MVP sob medida em uma semana: estratégia, desenvolvimento, testes e lançamento em sete dias. A primeira consulta estratégica é gratuita.',
    service: 'MVP em 7 dias',
    serviceType: 'Desenvolvimento de produtos digitais',
    offer: 'Primeira consulta estratégica',
  },
  hero: {
    title: 'Sua Ideia, Lançada em 7 Dias.',
    text: 'Em uma semana, o que hoje é conversa vira um produto no ar: desenhado, programado e testado do zero, pronto para os primeiros clientes.',
    action: 'Quero Lançar Meu Projeto',
    note: 'A primeira consulta estratégica é gratuita.',
  },
  preview: {
    label:
      'Ilustração: a tela de um produto atravessa os sete dias, do rascunho a lápis no dia 1 ao sistema pronto e no ar no dia 7.',
    day: (day: number) => `Dia ${day}`,
    phases: { 1: 'Imersão', 2: 'Desenvolvimento', 6: 'Testes', 7: 'No ar' },
    product: {
      address: 'suaideia.com.br',
      menu: ['Início', 'Agenda', 'Clientes', 'Relatórios'],
      title: 'Agenda de hoje',
      newEntry: 'Nova reserva',
      rows: [
        { time: '09:00', client: 'Primeira cliente', service: 'Consulta', state: 'Confirmada' },
        { time: '10:30', client: 'Cliente que voltou', service: 'Retorno', state: 'Paga' },
        { time: '14:00', client: 'Indicação', service: 'Consulta', state: 'Confirmada' },
        { time: '16:15', client: 'Pelo site', service: 'Avaliação', state: 'Nova' },
      ],
      checkout: {
        title: 'Sua reserva',
        service: 'Consulta',
        days: [
          { weekday: 'S', date: 15 },
          { weekday: 'T', date: 16 },
          { weekday: 'Q', date: 17 },
          { weekday: 'Q', date: 18 },
          { weekday: 'S', date: 19 },
        ],
        action: 'Confirmar reserva',
        done: 'Reserva confirmada',
      },
    },
  },
  pains: {
    title: 'Boas ideias raramente morrem por serem ruins. Morrem na espera.',
    items: [
      {
        title: 'O prazo que nunca chega',
        text: 'O escopo cresce, o lançamento fica para o mês que vem e ninguém de verdade usou ainda o que você imaginou.',
      },
      {
        title: 'A conta que só aumenta',
        text: 'Cada ajuste vira hora extra. Você descobre o preço da ideia quando já investiu demais para voltar atrás.',
      },
      {
        title: 'O atalho que prende',
        text: 'Modelos prontos aceleram o começo. Depois, crescer depende de um código e de dados que não são seus.',
      },
    ],
  },
  sprint: {
    title: 'Sete dias, quatro etapas.',
    text: 'Um sprint com dia marcado para cada etapa, e cada uma termina com algo que você pode abrir, usar e questionar.',
    receives: 'Você recebe',
    steps: [
      {
        days: 'Dia 1',
        first: 1,
        last: 1,
        title: 'Imersão e Estratégia',
        text: 'Entendemos o problema, o público e o que precisa ser verdade para a ideia funcionar. O que não é essencial fica para depois.',
        deliverables: ['Escopo combinado por escrito', 'Fluxo das telas principais', 'Plano dos sete dias'],
      },
      {
        days: 'Dias 2 a 5',
        first: 2,
        last: 5,
        title: 'Desenvolvimento Focado',
        text: 'Desenho e código avançam juntos, do caminho mais importante para os detalhes. Você acompanha e opina enquanto ainda é fácil mudar.',
        deliverables: ['Endereço de testes só seu', 'Uma versão nova a cada dia', 'Código no seu repositório'],
      },
      {
        days: 'Dia 6',
        first: 6,
        last: 6,
        title: 'Testes e Qualidade',
        text: 'Percorremos cada caminho no celular e no computador, medimos a velocidade e corrigimos o que aparecer.',
        deliverables: ['Roteiro de testes cumprido', 'Relato do que foi corrigido', 'Versão final para aprovar'],
      },
      {
        days: 'Dia 7',
        first: 7,
        last: 7,
        title: 'Lançamento',
        text: 'Publicamos no seu domínio, com conexão segura e cópias de segurança, e passamos as chaves para você.',
        deliverables: ['Produto no ar, no seu domínio', 'Código, acessos e documentação', 'Lista dos próximos passos'],
      },
    ],
  },
  scratch: {
    title: 'Construído do zero. Seu por inteiro.',
    text: 'Nada de tema adaptado nem de ferramenta alugada. Cada tela e cada linha de código nascem do seu problema e ficam com você.',
    instead: 'Em vez de',
    you: 'Você tem',
    swaps: [
      { instead: 'um tema comprado e adaptado', you: 'uma interface desenhada para o seu público' },
      { instead: 'mensalidade por usuário', you: 'código-fonte no seu repositório' },
      { instead: 'dados na conta de terceiros', you: 'um banco de dados seu, que você exporta quando quiser' },
      { instead: 'depender de quem construiu', you: 'documentação para qualquer equipe continuar' },
    ],
    promises: [
      {
        title: 'O escopo',
        text: 'Combinado por escrito no primeiro dia: o que entra, o que fica para depois e por quê.',
      },
      { title: 'A propriedade', text: 'Código, dados, domínio e acessos ficam no seu nome.' },
      {
        title: 'O oitavo dia',
        text: 'O produto continua no ar e é seu. Você decide se evolui conosco, com a sua equipe ou com outra.',
      },
    ],
  },
  closing: {
    title: 'Conte a sua ideia. A primeira conversa é por nossa conta.',
    text: 'Na consulta estratégica gratuita, ouvimos o problema e dizemos com franqueza o que cabe em sete dias.',
    action: 'Agende Sua Consulta Gratuita',
  },
} as const;
