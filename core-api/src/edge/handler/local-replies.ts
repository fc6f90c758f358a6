import type { RateLimit } from '../../routing/config-snapshot';
import { gatewayError } from '../../routing/gateway.messages';
import type { RefusalReason } from '../../routing/refusal-reason';
import type { TrafficKind } from '../../routing/routing-decision';
import type { LocalReply } from '../engine/types';

/** Texts of one error page. */
export interface ErrorPage {
  title: string;
  text: string;
  /** Further HTML below the text. */
  more?: string;
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
  429: {
    title: 'Requisições demais',
    text: 'Há requisições demais do seu endereço. Tente novamente em instantes.',
  },
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
 * A page in the design of the public site, without external files.
 * @param brand a site's own mark and styles, as HTML, in place of the studio's
 */
export const renderPage = (
  status: number,
  { title, text, more = '' }: ErrorPage,
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
<p>${text}</p>${more}
<small>${status}</small>
</main>
</body>
</html>
`;

const pageBodies = new Map(
  Object.entries(errorPages).map(([status, page]) => [Number(status), renderPage(Number(status), page)]),
);

export const COMMON_HEADER_LINES = 'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n';
const PAGE_HEADER_LINES = `Content-Type: text/html; charset=utf-8\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\n${COMMON_HEADER_LINES}`;
const JSON_HEADER_LINES = `Content-Type: application/json; charset=utf-8\r\n${COMMON_HEADER_LINES}`;
/** Lets pages of any origin read a 401 or 403 of the gateway, where the service has no CORS policy. */
const READABLE_BY_ANY_ORIGIN =
  'Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: WWW-Authenticate, X-Request-Id\r\n';
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

export interface RefusalOptions {
  kind: TrafficKind;
  /** The path is one of the REST API. */
  isApi?: boolean;
  status: number;
  requestId: string;
  reason?: RefusalReason;
  /** Value of `Allow` for a 405; default: all methods that the edge accepts. */
  allow?: string;
  /** The request has an `Origin` header. */
  hasOrigin?: boolean;
  /** Value of `Retry-After` for a 429 or 503, seconds. */
  retryAfterS?: number;
  /** Name of a paused site, not escaped. */
  siteName?: string;
  /** The exceeded limit of a 429. */
  limit?: RateLimit;
  /** CORS lines of the service's policy. */
  corsLines?: string;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const pausedPage = (name: string): string =>
  renderPage(503, {
    title: `${escapeHtml(name)} está em pausa`,
    text: 'Quem cuida deste site o pausou. Volte mais tarde.',
  });

const REDIRECT_MAX_AGE_S = 300;

/**
 * A permanent redirect (308) to another name of the same site; `Location` names no scheme. It is cached for five minutes
 * only: after a change of direction, two cached redirects would form a loop.
 */
export function redirectReply({
  host,
  path,
  requestId,
}: {
  host: string;
  path: string;
  requestId: string;
}): LocalReply {
  const lines = `X-Request-Id: ${requestId}\r\nLocation: //${host}${path}\r\nCache-Control: max-age=${REDIRECT_MAX_AGE_S}\r\n`;
  return { action: 'reply', status: 308, headerLines: lines, body: '' };
}

/** Fields of draft-ietf-httpapi-ratelimit-headers: quota q per window w in seconds, r remaining, reset in t seconds. */
export function rateLimitLines(retryAfterS: number, limit: RateLimit | undefined): string {
  const retry = `Retry-After: ${retryAfterS}\r\n`;
  if (!limit) return retry;
  const { requests, seconds } = limit;
  return `${retry}RateLimit-Policy: "key";q=${requests};w=${seconds}\r\nRateLimit: "key";r=0;t=${retryAfterS}\r\n`;
}

/** A small page in Portuguese; at the gateway and below `/api` the error form of the REST contract (contract §2, §5). */
export function refusalReply({
  kind,
  isApi = false,
  status,
  requestId,
  reason,
  allow = ALL_METHODS,
  hasOrigin,
  retryAfterS = 1,
  siteName,
  corsLines,
  limit,
}: RefusalOptions): LocalReply {
  let lines = `X-Request-Id: ${requestId}\r\n`;
  if (status === 405) lines += `Allow: ${allow}\r\n`;
  else if (status === 503) lines += `Retry-After: ${retryAfterS}\r\n`;
  else if (status === 429) lines += rateLimitLines(retryAfterS, limit);
  // A page of a sibling domain may have set cookies that fill the head. Without this line, every visit would be refused.
  else if (status === 431) lines += 'Clear-Site-Data: "cookies"\r\n';
  if (siteName !== undefined)
    return { action: 'reply', status, headerLines: lines + PAGE_HEADER_LINES, body: pausedPage(siteName) };
  if (kind !== 'gateway' && !isApi)
    return { action: 'reply', status, headerLines: lines + PAGE_HEADER_LINES, body: pageBodies.get(status) ?? '' };
  if (status === 401) lines += 'WWW-Authenticate: ApiKey\r\n';
  if (corsLines !== undefined) lines += corsLines;
  else if (hasOrigin && (status === 401 || status === 403)) lines += READABLE_BY_ANY_ORIGIN;
  return {
    action: 'reply',
    status,
    headerLines: lines + JSON_HEADER_LINES,
    body: JSON.stringify(gatewayError(status, reason)),
  };
}
