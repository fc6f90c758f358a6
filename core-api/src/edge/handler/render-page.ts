import type { ErrorPage } from './pages.messages';

/** The studio's mark, seven ticks. */
const MARK = `<svg viewBox="0 0 100 32" aria-hidden="true">${[0, 1, 2, 3, 4, 5, 6]
  .map((tick) => `<rect x="${tick * 15}" width="4" height="32" rx="2" fill="var(${tick < 3 ? '--brand' : '--rest'})"/>`)
  .join('')}</svg>`;

/**
 * Renders a page in the design of the public site, without external files. All texts are HTML.
 * @param brand `mark` is HTML that replaces the studio's mark, and `style` has further rules of CSS
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
