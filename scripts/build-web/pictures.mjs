// Draws the pictures of web/public from the built site and the icon's SVG. The pictures are committed.
// node scripts/build-web/pictures.mjs   (after `npm run build -w web`; CHROMIUM_PATH is the path of another browser)
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(root, 'web/build/client');
const pictures = join(root, 'web/public');
const types = { '.html': 'text/html', '.woff2': 'font/woff2', '.svg': 'image/svg+xml' };

/** Styles that show only the hero, in the size of a link preview and without the brand, which is known at run time only. */
const previewStyle = `
  .top, .foot, .offer, .hero ~ section { display: none }
  body { font-size: 20px; min-height: 0; overflow: hidden }
  .hero.wrap { max-width: none; padding: 52px 64px }
  .promise { display: block }
  .hero h1 { font-size: 92px; line-height: 1; text-wrap: balance }
  .preview { margin-top: 44px }
  .preview .desk { display: block } .preview .phone { display: none }
`;

/**
 * The icons to draw. `side` is the size in pixels; `scale` is the part of the side that the picture fills. Opaque icons have
 * a margin, because systems cut maskable icons to a circle and iOS rounds its icons.
 */
const icons = [
  { file: 'favicon.png', side: 48 },
  { file: 'icon-192.png', side: 192 },
  { file: 'icon-512.png', side: 512 },
  { file: 'apple-touch-icon.png', side: 180, scale: 0.86, isOpaque: true },
  { file: 'icon-maskable.png', side: 512, scale: 0.74, isOpaque: true },
];

const server = createServer(async (request, response) => {
  const path = request.url === '/' ? '/index.html' : request.url;
  try {
    const bytes = await readFile(join(build, path));
    response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream').end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, reducedMotion: 'reduce' });
  await page.goto(`http://127.0.0.1:${Object(server.address()).port}/`);
  await page.addStyleTag({ content: previewStyle });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(pictures, 'og.png') });

  const svg = await readFile(join(pictures, 'favicon.svg'), 'utf8');
  for (const { file, side, scale = 1, isOpaque = false } of icons) {
    await page.setViewportSize({ width: side, height: side });
    const background = isOpaque ? '#0b5d5e' : 'transparent';
    await page.setContent(
      `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${background}">${svg.replace('<svg', `<svg width="${side * scale}"`)}`,
    );
    await page.screenshot({ path: join(pictures, file), omitBackground: true });
  }
} finally {
  await browser.close();
  server.close();
}
