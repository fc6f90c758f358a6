/**
 * `npm run screenshots`: every screen and dialog with demo data, in both themes at 360, 768 and 1280 px, as one contact
 * sheet in data/screenshots (not kept), and the pictures of the README in .github/images.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { requireChromium } from './chromium.mjs';
import { built, checkNode, root } from './setup.mjs';

checkNode();
const executablePath = requireChromium();
await built();

const folder = mkdtempSync(join(tmpdir(), 'studio-screenshots-'));
const output = join(root, 'data/screenshots');
mkdirSync(output, { recursive: true });
mkdirSync(join(root, '.github/images'), { recursive: true });

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
const [port, bffPort, corePort, adminPort] = [await freePort(), await freePort(), await freePort(), await freePort()];
const administrator = { username: 'admin', password: 'uma senha de teste' };
const env = {
  ...process.env,
  PORT: port,
  BFF_PORT: bffPort,
  CORE_PORT: corePort,
  EDGE_ADMIN_PORT: adminPort,
  DATA_DIR: folder,
  EDGE_WORKERS: '1',
  LOG_LEVEL: 'error',
  ADMIN_USERNAME: administrator.username,
  ADMIN_PASSWORD: administrator.password,
};
const children = [];
const run = async (program, readyPort) => {
  children.push(spawn(process.execPath, [join(root, program)], { cwd: root, env, stdio: 'inherit' }));
  const isReady = () =>
    fetch(`http://127.0.0.1:${readyPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
};
const end = () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
};
process.on('exit', end);

await run('core-api/dist/main.js', corePort);
const amounts = { subdomains: 60, tenants: 40, projects: 6, keys: 8, services: 5, routes: 30, messages: 10 };
const seed = Object.entries(amounts).flatMap(([name, amount]) => [`--${name}`, String(amount)]);
spawnSync(process.execPath, [join(root, 'core-api/dist/seed.js'), ...seed], { cwd: root, env, stdio: 'inherit' });
await run('bff/dist/main.js', bffPort);
await run('core-api/dist/edge/main.js', adminPort);

const origin = `http://localhost:${port}`;
const answer = await fetch(`${origin}/api/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(administrator),
});
const { token } = await answer.json();

const press = (name) => async (page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole(/Remover|Deletar/.test(String(name)) ? 'alertdialog' : 'dialog').waitFor();
};
const openKey = (page) => page.getByRole('button', { expanded: false }).first().click();
const pressInKey = (name) => async (page) => {
  await openKey(page);
  await press(name)(page);
};
const createKey = async (page) => {
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Aplicativo da loja');
  await page.getByRole('checkbox').first().check();
  await press('Criar Chave')(page);
};
const configure = async (page) => {
  await page.getByRole('button', { name: 'Manualmente' }).click();
  // A step fades in, also for those who want no motion.
  await page.waitForFunction(() => getComputedStyle(document.querySelector('form')?.parentElement).opacity === '1');
};
const openPalette = async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
};
/** Name, address, whether signed in, and what is done before the picture. */
const screens = [
  ['landing', '/', false],
  ['contact', '/contact', false],
  ['login', '/login', false],
  ['not-found', '/nao-existe', false],
  ['subdomains', '/admin', true],
  ['subdomain-configure', '/admin', true, configure],
  ['subdomain-edit', '/admin', true, press(/^Editar/)],
  ['subdomain-removal', '/admin', true, press(/^Remover/)],
  ['tenants', '/tenants', true],
  ['tenant-create', '/tenants?novo=1', true],
  ['tenant-edit', '/tenants', true, press(/^Editar/)],
  ['tenant-domain', '/tenants', true, press(/domínio de/)],
  ['tenant-removal', '/tenants', true, press(/^Remover/)],
  ['projects', '/projects', true],
  ['project-create', '/projects?novo=1', true],
  ['project-edit', '/projects', true, press(/^Editar/)],
  ['project-removal', '/projects', true, press(/^Remover/)],
  ['settings', '/settings', true],
  ['gateway-keys', '/gateway/keys', true],
  ['gateway-key-open', '/gateway/keys', true, openKey],
  ['gateway-key-edit', '/gateway/keys', true, pressInKey(/^Editar/)],
  ['gateway-key-removal', '/gateway/keys', true, pressInKey(/^Deletar/)],
  ['gateway-services', '/gateway/management', true],
  ['gateway-service-edit', '/gateway/management', true, press(/^Editar/)],
  ['gateway-service-removal', '/gateway/management', true, press(/^(Remover|Deletar)/)],
  ['gateway-import', '/gateway/management', true, press(/^Importar Rotas/)],
  ['gateway-routes', '/gateway/management?tab=rotas', true],
  ['gateway-route-create', '/gateway/management?tab=rotas&nova=1', true],
  ['gateway-route-edit', '/gateway/management?tab=rotas', true, press(/^Editar/)],
  ['gateway-route-removal', '/gateway/management?tab=rotas', true, press(/^(Remover|Deletar)/)],
  ['gateway-metrics', '/gateway/metrics', true],
  ['palette', '/admin', true, openPalette],
  // Last: it adds a key.
  ['gateway-key-created', '/gateway/keys', true, createKey],
];

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
const pictures = [];
for (const theme of ['light', 'dark']) {
  for (const width of [360, 768, 1280]) {
    for (const signedIn of [false, true]) {
      const context = await browser.newContext({
        locale: 'pt-BR',
        timezoneId: 'America/Sao_Paulo',
        reducedMotion: 'reduce',
        viewport: { width, height: 860 },
      });
      await context.addInitScript(
        ([chosen, kept]) => {
          localStorage.setItem('theme', chosen);
          if (kept) localStorage.setItem('token', kept);
        },
        [theme, signedIn ? token : ''],
      );
      const page = await context.newPage();
      for (const [name, path, needsLogin, prepare] of screens.filter((screen) => screen[2] === signedIn)) {
        await page.goto(origin + path, { waitUntil: 'networkidle' });
        await page.evaluate(() => document.fonts.ready);
        if (needsLogin && /nov[oa]=1/.test(path)) await page.getByRole('dialog').waitFor();
        await prepare?.(page);
        const file = `${name}-${theme}-${width}.png`;
        await page.screenshot({ path: join(output, file) });
        pictures.push({ name, theme, width, file });
      }
      await context.close();
    }
  }
}

const sheet = screens
  .map(([name]) => {
    const own = pictures.filter((picture) => picture.name === name);
    return `<h2>${name}</h2><div>${own.map(({ file, width }) => `<img src="${file}" width="${width / 3}">`).join('')}</div>`;
  })
  .join('');
writeFileSync(
  join(output, 'index.html'),
  `<!doctype html><meta charset="utf-8"><style>body{font:14px sans-serif;background:#999}div{display:flex;gap:8px}img{height:auto}</style>${sheet}`,
);
const page = await browser.newPage({ viewport: { width: 1680, height: 1000 } });
await page.goto(`file://${join(output, 'index.html')}`);
await page.screenshot({ path: join(output, 'contact-sheet.png'), fullPage: true });
await browser.close();

for (const [from, to] of [
  ['subdomains-light-1280.png', 'subdomains-light.png'],
  ['tenants-dark-1280.png', 'tenants-dark.png'],
  ['gateway-metrics-light-360.png', 'gateway-metrics-phone.png'],
]) {
  cpSync(join(output, from), join(root, '.github/images', to));
}
process.stdout.write(`${pictures.length} imagens em data/screenshots\n`);
process.exit(0);
