import { type ServerResponse, STATUS_CODES } from 'node:http';

/** The only place where the edge itself speaks: pages for people, JSON for the gateway. */
interface Page {
  title: string;
  text: string;
}

const pages: Record<number, Page> = {
  400: { title: 'Requisição inválida', text: 'O endereço ou os cabeçalhos desta requisição não puderam ser lidos.' },
  404: { title: 'Nada por aqui', text: 'Não há nenhum site neste endereço. Confira se ele foi digitado corretamente.' },
  405: { title: 'Método não permitido', text: 'Este endereço só pode ser lido.' },
  414: { title: 'Endereço longo demais', text: 'O endereço desta requisição passa do limite.' },
  431: { title: 'Cabeçalhos grandes demais', text: 'Os cabeçalhos desta requisição passam do limite.' },
  502: { title: 'Serviço fora do ar', text: 'O serviço deste endereço não respondeu. Tente novamente em instantes.' },
  503: { title: 'Site indisponível', text: 'Este site está configurado, mas não pode ser servido no momento.' },
  504: { title: 'O serviço demorou demais', text: 'O serviço deste endereço não respondeu a tempo. Tente novamente.' },
  508: { title: 'Endereço em círculo', text: 'O destino deste endereço leva de volta a ele mesmo.' },
};

const sentences: Record<number, string> = {
  400: 'O caminho da requisição não é válido.',
  401: 'Envie uma chave de API válida no cabeçalho X-API-Key.',
  403: 'Esta chave de API não permite o acesso.',
  404: 'Nenhuma rota atende a este endereço.',
  405: 'A rota existe, mas não para este método.',
  408: 'A requisição demorou demais para chegar.',
  414: 'O endereço da requisição passa do limite.',
  431: 'Os cabeçalhos da requisição passam do limite.',
  502: 'O serviço não respondeu. Tente novamente em instantes.',
  503: 'Serviço indisponível no momento.',
  504: 'O serviço não respondeu a tempo.',
  508: 'O destino da rota leva de volta ao próprio gateway.',
};

const details = {
  address: 'O endereço de origem não está na lista desta chave.',
  permission: 'A chave não tem a permissão que a rota exige.',
} as const;

/** Colours and shape of the public pages (design: paper and ink, seven ticks), in one self-contained file. */
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

/** How one kind of traffic says that something went wrong. */
export type Refuse = (response: ServerResponse, status: number, headers?: Record<string, string>) => void;

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const PAGE = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
/** A page of another origin must be able to read why it was refused; all else is the service's own policy. */
const READABLE = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, X-Request-Id',
};
const JSON_ERROR = { 'Content-Type': 'application/json; charset=utf-8' };

/** The same answers as text, where there is no `ServerResponse`. @returns status and header lines, each with its CRLF */
export function refusalText(
  form: 'page' | 'json',
  status: 400 | 408 | 431 | 502 | 504,
): { head: string; body: string } {
  const body = form === 'page' ? (bodies.get(status) ?? '') : JSON.stringify({ error: sentences[status] });
  const headers = {
    ...(form === 'page' ? PAGE : JSON_ERROR),
    'Content-Length': Buffer.byteLength(body),
    ...ALWAYS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`, body };
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string>) {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), ...ALWAYS });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function sendJson(response: ServerResponse, status: number, error: object, headers: Record<string, string>) {
  const readable = (status === 401 || status === 403) && response.req.headers.origin !== undefined;
  send(response, status, JSON.stringify(error), { ...headers, ...JSON_ERROR, ...(readable && READABLE) });
}

/** A small page in Portuguese. */
export const refuseWithPage: Refuse = (response, status, headers = {}) =>
  send(response, status, bodies.get(status) ?? '', { ...headers, ...PAGE });

/** The error form of the REST contract (contract §2, §5). */
export const refuseWithJson: Refuse = (response, status, headers = {}) =>
  sendJson(response, status, { error: sentences[status] }, headers);

export function refuseKey(response: ServerResponse, reason: keyof typeof details): void {
  sendJson(response, 403, { error: sentences[403], details: details[reason] }, {});
}
