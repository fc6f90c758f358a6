import type { DeliveryChannel, DeliveryState } from '../../generated/graph';

/** Texts of the settings screen (product-spec §2, §8). */
export const settingsMessages = {
  title: 'Configurações do Sistema',
  telegram: {
    title: 'Integração com Telegram',
    text: 'O bot avisa neste chat quando alguém envia o formulário de contato.',
    token: 'Token do Bot do Telegram',
    tokenHint: 'O @BotFather mostra o token quando o bot é criado.',
    showToken: 'Mostrar token',
    chatId: 'Chat ID do Telegram',
    chatIdHint: 'De uma pessoa, grupo ou canal em que o bot está.',
    save: 'Salvar Configurações',
    test: 'Enviar mensagem de teste',
    testHint: 'O teste usa o que está salvo.',
  },
  password: {
    title: 'Alterar Senha',
    text: 'As outras sessões desta conta são encerradas.',
    current: 'Senha Atual',
    next: 'Nova Senha',
    nextHint: 'Pelo menos 10 caracteres.',
    again: 'Repita a Nova Senha',
    submit: 'Alterar Senha',
    tooShort: 'A nova senha precisa de pelo menos 10 caracteres.',
    different: 'As senhas não são iguais.',
  },
  contact: {
    title: 'Mensagens Recebidas',
    text: 'Tudo o que chegou pelo formulário de contato e para onde foi enviado.',
    empty: 'Nenhuma mensagem recebida.',
    loadMore: 'Carregar mais',
    loaded: (loaded: number, total: number) => `${loaded} de ${total} carregadas`,
    stored: 'Somente guardada',
    delivery: (channel: DeliveryChannel, state: DeliveryState) => `${CHANNELS[channel]}: ${STATES[state]}`,
    attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
  },
  success: {
    saved: 'Configurações salvas com sucesso!',
    tested: 'Mensagem de teste enviada!',
    password: 'Senha alterada com sucesso! Entre novamente.',
  },
  failure: {
    load: 'Falha ao carregar as configurações.',
    unavailable: 'As configurações não puderam ser carregadas.',
    save: 'Falha ao salvar as configurações.',
    test: 'Falha ao enviar a mensagem de teste.',
    password: 'Falha ao alterar a senha.',
    messages: 'Falha ao carregar as mensagens recebidas.',
  },
} as const;

const CHANNELS: Record<DeliveryChannel, string> = { telegram: 'Telegram', email: 'E-mail' };
const STATES: Record<DeliveryState, string> = { pending: 'na fila', sent: 'enviada', failed: 'falhou' };
