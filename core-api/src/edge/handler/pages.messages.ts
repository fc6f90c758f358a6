export interface ErrorPage {
  title: string;
  text: string;
  /** Further HTML below the text. */
  html?: string;
}

export const errorPages: Readonly<Record<number, ErrorPage>> = {
  400: { title: 'Requisição inválida', text: 'O endereço ou os cabeçalhos desta requisição não puderam ser lidos.' },
  401: { title: 'Este site tem senha', text: 'Digite a senha que você recebeu para abrir este site.' },
  403: { title: 'Acesso não permitido', text: 'Este site só abre em endereços autorizados.' },
  404: { title: 'Nada por aqui', text: 'Não há nenhum site neste endereço. Confira se ele foi digitado corretamente.' },
  410: { title: 'Esta prévia terminou', text: 'O prazo desta prévia acabou. Peça um novo endereço a quem a enviou.' },
  405: { title: 'Método não permitido', text: 'Este endereço não atende ao método desta requisição.' },
  408: { title: 'Demorou demais para chegar', text: 'A requisição demorou demais para chegar. Tente novamente.' },
  412: { title: 'O arquivo é outro', text: 'O que está neste endereço não é a versão que foi pedida.' },
  413: { title: 'Conteúdo grande demais', text: 'O que foi enviado passa do limite deste endereço.' },
  414: { title: 'Endereço longo demais', text: 'O endereço desta requisição passa do limite.' },
  417: { title: 'Expectativa desconhecida', text: 'O cabeçalho Expect desta requisição não é atendido aqui.' },
  429: { title: 'Requisições demais', text: 'Há requisições demais do seu endereço. Tente novamente em instantes.' },
  431: {
    title: 'Tente novamente',
    text: 'Os cookies deste endereço passaram do limite e foram apagados. Carregue a página outra vez.',
  },
  502: { title: 'Serviço fora do ar', text: 'O serviço deste endereço não respondeu. Tente novamente em instantes.' },
  503: { title: 'Site indisponível', text: 'Este site está configurado, mas não pode ser servido no momento.' },
  504: { title: 'O serviço demorou demais', text: 'O serviço deste endereço não respondeu a tempo. Tente novamente.' },
  505: { title: 'Versão de HTTP desconhecida', text: 'Este endereço fala HTTP/1.1.' },
  508: { title: 'Endereço em círculo', text: 'O destino deste endereço leva de volta a ele mesmo.' },
};

export const pausedPage = (siteName: string): ErrorPage => ({
  title: `${siteName} está em pausa`,
  text: 'Quem cuida deste site o pausou. Volte mais tarde.',
});

export const sitePageMessages = {
  maintenance: 'Em manutenção',
  password: 'Senha',
  open: 'Abrir',
  /** Texts above the form after a failed attempt, by the value of `studio-access` that the core adds to the query. */
  failures: new Map([
    ['wrong', 'Senha incorreta.'],
    ['limited', 'Tentativas demais. Espere alguns minutos.'],
  ]),
};
