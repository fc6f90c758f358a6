import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const SCRIPT = 'globalThis.started = "🚀".repeat(200);';
export const THEME_SCRIPT = 'document.documentElement.dataset.theme = localStorage.theme;';

const createPage = (title: string, body = '') => `<!DOCTYPE html>
<html lang="pt-BR"><head><meta charset="utf-8"/><title>${title} | __BRAND_NAME__</title>
<link rel="canonical" href="__ORIGIN__/"/>
<script>${THEME_SCRIPT}</script>
<script type="application/ld+json">{"name":"__BRAND_NAME_JSON__","url":"__ORIGIN__"}</script>
<script type="module" src="/assets/entry-abc123.js"></script></head><body><h1>${title}</h1>${body}<footer>© __YEAR__</footer></body></html>`;

const CONTACT_FORM = `<div id="contact-answer"></div><form method="post" action="/contact">
<input type="text" autoComplete="name" name="name" class="a" value=""/><input type="email" name="email" aria-describedby="x"/>
<input name="contactInfo"/><textarea rows="6" name="message" class="b"></textarea><input name="website" tabindex="-1"/><button>Enviar</button></form>`;

/** Creates a small build of the web app, with every kind of file of a real build. */
export function createWebBuild() {
  const root = mkdtempSync(join(tmpdir(), 'web-build-'));
  const write = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  write('index.html', createPage('Início'));
  write('login/index.html', createPage('Login'));
  write('contact/index.html', createPage('Contato', CONTACT_FORM));
  write('404/index.html', createPage('Página não encontrada'));
  write('__spa-fallback.html', createPage('Console'));
  write('screens.json', JSON.stringify(['/admin', '/gateway/keys', '/sites/:id']));
  write('robots.txt', 'Sitemap: __ORIGIN__/sitemap.xml\n');
  write('sitemap.xml', '<urlset><url><loc>__ORIGIN__/</loc></url></urlset>');
  write('site.webmanifest', '{"name":"__BRAND_NAME_JSON__"}');
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('.env', 'SECRET=1');
  write('assets/entry-abc123.js', SCRIPT);
  write('assets/entry-abc123.js.br', brotliCompressSync(SCRIPT));
  write('assets/entry-abc123.js.gz', gzipSync(SCRIPT));
  return { root, write, remove: () => rmSync(root, { recursive: true }) };
}
