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

/** The studio's mark, seven ticks. */
const MARK = `<svg viewBox="0 0 100 32" aria-hidden="true">${[0, 1, 2, 3, 4, 5, 6]
  .map((tick) => `<rect x="${tick * 15}" width="4" height="32" rx="2" fill="var(${tick < 3 ? '--brand' : '--rest'})"/>`)
  .join('')}</svg>`;

/**
 * Renders a page in the design of the public site, without external files.
 * @param brand HTML of the site's mark, which replaces the studio's mark, and further styles
 */
export const renderPage = (
  status: number,
  { title, text, html = '' }: ErrorPage,
  brand?: { mark?: string; style: string },
): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root{color-scheme:light dark;--paper:#fafaf7;--ink:#14181f;--muted:#535b66;--brand:#0b5d5e;--rest:#d9d9d2}
@media (prefers-color-scheme:dark){:root{--paper:#0d1214;--ink:#ecefec;--muted:#9ca8ab;--brand:#5fd6cb;--rest:#263136}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:30rem}
svg{display:block;height:32px;margin-bottom:32px}
h1{margin:0 0 8px;font-size:clamp(28px,6vw,40px);line-height:1.15;letter-spacing:-.02em;text-wrap:balance}
p{margin:0;color:var(--muted);max-width:40ch}
small{display:block;margin-top:32px;color:var(--muted);font-variant-numeric:tabular-nums}
${brand?.style ?? ''}</style>
</head>
<body>
<main>
${brand?.mark ?? MARK}
<h1>${title}</h1>
<p>${text}</p>${html}
<small>${status}</small>
</main>
</body>
</html>
`;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
