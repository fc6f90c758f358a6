import type { DeliveryChannel, DeliveryState } from '../../generated/graph';

const CHANNELS: Record<DeliveryChannel, string> = { telegram: 'Telegram', email: 'E-mail' };
const STATES: Record<DeliveryState, string> = { pending: 'na fila', sent: 'enviada', failed: 'falhou' };

export const messagesMessages = {
  title: 'Mensagens recebidas',
  text: 'Tudo o que chegou pelo formulário de contato e para onde foi enviado.',
  empty: 'Nenhuma mensagem recebida.',
  nouns: ['mensagem', 'mensagens'],
  unhandled: (count: number) => (count === 1 ? '1 não tratada' : `${count} não tratadas`),
  notDelivered: 'Sem aviso: Telegram e e-mail não configurados',
  delivery: (channel: DeliveryChannel, state: DeliveryState) => `${CHANNELS[channel]}: ${STATES[state]}`,
  attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
  handled: 'Tratada',
  handle: 'Marcar como tratada',
  unhandle: 'Desmarcar tratada',
  answered: 'Respondida',
  answer: 'Marcar como respondida',
  unanswer: 'Desmarcar respondida',
  replying: 'Depois de enviar a resposta, marque a mensagem como respondida.',
  reply: 'Responder',
  replySubject: 'Sua mensagem',
  removal: {
    message: (name: string) => `Deseja realmente remover a mensagem de ${name}? Ela não poderá ser recuperada.`,
  },
  success: { removed: 'Mensagem removida com sucesso!' },
  failure: {
    load: 'Falha ao carregar as mensagens recebidas.',
    mark: 'Falha ao marcar a mensagem.',
    remove: 'Falha ao remover a mensagem.',
  },
} as const;
