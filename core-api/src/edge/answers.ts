import { gatewayError } from '../decide/gateway.messages';
import type { RateLimit } from '../decide/rows';
import type { RefusalReason, TrafficKind } from '../decide/verdict';
import type { Answer } from './http1/types';

/** The only place where the edge itself speaks: pages for people, JSON for the gateway. */
interface Page {
  title: string;
  text: string;
}

const pages: Record<number, Page> = {
  400: { title: 'Requisição inválida', text: 'O endereço ou os cabeçalhos desta requisição não puderam ser lidos.' },
  404: { title: 'Nada por aqui', text: 'Não há nenhum site neste endereço. Confira se ele foi digitado corretamente.' },
  405: { title: 'Método não permitido', text: 'Este endereço não atende ao método desta requisição.' },
  408: { title: 'Demorou demais para chegar', text: 'A requisição demorou demais para chegar. Tente novamente.' },
  412: { title: 'O arquivo é outro', text: 'O que está neste endereço não é a versão que foi pedida.' },
  413: { title: 'Conteúdo grande demais', text: 'O que foi enviado passa do limite deste endereço.' },
  414: { title: 'Endereço longo demais', text: 'O endereço desta requisição passa do limite.' },
  417: { title: 'Expectativa desconhecida', text: 'O cabeçalho Expect desta requisição não é atendido aqui.' },
  431: { title: 'Cabeçalhos grandes demais', text: 'Os cabeçalhos desta requisição passam do limite.' },
  502: { title: 'Serviço fora do ar', text: 'O serviço deste endereço não respondeu. Tente novamente em instantes.' },
  503: { title: 'Site indisponível', text: 'Este site está configurado, mas não pode ser servido no momento.' },
  504: { title: 'O serviço demorou demais', text: 'O serviço deste endereço não respondeu a tempo. Tente novamente.' },
  505: { title: 'Versão de HTTP desconhecida', text: 'Este endereço fala HTTP/1.1.' },
  508: { title: 'Endereço em círculo', text: 'O destino deste endereço leva de volta a ele mesmo.' },
};

/** Colours and shape of the public pages (paper and ink, seven ticks), in one self-contained file. */
const html = (status: number, { title, text }: Page): string => `<!doctype html>
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
</style>
</head>
<body>
<main>
<svg viewBox="0 0 100 32" aria-hidden="true">${[0, 1, 2, 3, 4, 5, 6]
  .map((tick) => `<rect x="${tick * 15}" width="4" height="32" rx="2" fill="var(${tick < 3 ? '--brand' : '--rest'})"/>`)
  .join('')}</svg>
<h1>${title}</h1>
<p>${text}</p>
<small>${status}</small>
</main>
</body>
</html>
`;

const bodies = new Map(Object.entries(pages).map(([status, page]) => [Number(status), html(Number(status), page)]));

const ALWAYS = 'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n';
const PAGE = `Content-Type: text/html; charset=utf-8\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\n${ALWAYS}`;
const JSON_ERROR = `Content-Type: application/json; charset=utf-8\r\n${ALWAYS}`;
/** A page of another origin must be able to read why it was refused; all else is the service's own policy. */
const READABLE = 'Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: WWW-Authenticate, X-Request-Id\r\n';
const EVERY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

export interface Refusal {
  kind: TrafficKind;
  status: number;
  requestId: string;
  reason?: RefusalReason;
  /** Of a 405; all that the edge takes when it is missing. */
  allow?: string;
  /** The request named an origin. */
  fromPage?: boolean;
  /** Of a 429 and a 503: seconds. */
  retryAfterS?: number;
  /** Name of a paused site, as it was entered. */
  about?: string;
  /** Of a 429. */
  limit?: RateLimit;
  /** The service's own lines for pages of other origins. */
  cors?: string;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const pausedPage = (name: string): string =>
  html(503, { title: `${escaped(name)} está em pausa`, text: 'Quem cuida deste site o pausou. Volte mais tarde.' });

const REDIRECT_MAX_AGE_S = 300;

/**
 * To another name of the same site, for good. The scheme stays; the answer is soon forgotten, since an administrator may
 * turn the direction round, and two remembered ones would lead in a circle.
 */
export function redirection({ host, path, requestId }: { host: string; path: string; requestId: string }): Answer {
  const lines = `X-Request-Id: ${requestId}\r\nLocation: //${host}${path}\r\nCache-Control: max-age=${REDIRECT_MAX_AGE_S}\r\n`;
  return { action: 'answer', status: 308, lines, body: '' };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers: q requests in w seconds; r are left, more in t seconds. */
function limitLines(retryAfterS: number, limit: RateLimit | undefined): string {
  const retry = `Retry-After: ${retryAfterS}\r\n`;
  if (!limit) return retry;
  const { requests, seconds } = limit;
  return `${retry}RateLimit-Policy: "key";q=${requests};w=${seconds}\r\nRateLimit: "key";r=0;t=${retryAfterS}\r\n`;
}

/** A small page in Portuguese, or at the gateway the error form of the REST contract (contract §2, §5). */
export function refusal({
  kind,
  status,
  requestId,
  reason,
  allow = EVERY_METHOD,
  fromPage,
  retryAfterS = 1,
  about,
  cors,
  limit,
}: Refusal): Answer {
  let lines = `X-Request-Id: ${requestId}\r\n`;
  if (status === 405) lines += `Allow: ${allow}\r\n`;
  else if (status === 503) lines += `Retry-After: ${retryAfterS}\r\n`;
  else if (status === 429) lines += limitLines(retryAfterS, limit);
  if (about !== undefined) return { action: 'answer', status, lines: lines + PAGE, body: pausedPage(about) };
  if (kind !== 'gateway') return { action: 'answer', status, lines: lines + PAGE, body: bodies.get(status) ?? '' };
  if (status === 401) lines += 'WWW-Authenticate: ApiKey\r\n';
  if (cors !== undefined) lines += cors;
  else if (fromPage && (status === 401 || status === 403)) lines += READABLE;
  return { action: 'answer', status, lines: lines + JSON_ERROR, body: JSON.stringify(gatewayError(status, reason)) };
}
