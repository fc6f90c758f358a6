/**
 * `npm run screenshots` takes a picture of every screen and dialog with demo data, in both themes at 360, 768, 1280 and 1920
 * px. It writes one contact sheet into data/screenshots (not committed) and the pictures of the README into .github/images.
 *
 * `-- --only tenants --widths 768,1920 --themes dark --to FOLDER` restricts the pictures; `--whole` captures full pages.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { requireChromium } from './setup/chromium.mjs';
import { ensureBuilt, root } from './setup/setup.mjs';
import { checkNode } from './supervisor/node.mjs';
import { Stack } from './testing/harness.mjs';

checkNode();
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    widths: { type: 'string', default: '360,768,1280,1920' },
    themes: { type: 'string', default: 'light,dark' },
    to: { type: 'string', default: join(root, 'data/screenshots') },
    whole: { type: 'boolean', default: false },
  },
});
const executablePath = requireChromium();
await ensureBuilt();

const output = resolve(options.to);
mkdirSync(output, { recursive: true });
mkdirSync(join(root, '.github/images'), { recursive: true });

const amounts = { subdomains: 60, tenants: 40, projects: 6, keys: 8, services: 5, routes: 30, messages: 10 };
const seed = Object.entries(amounts).flatMap(([name, amount]) => [`--${name}`, String(amount)]);
const stack = await Stack.start({ seed });
const origin = stack.url;
const token = await stack.logIn();
/** Returns a function that presses a button and waits for the dialog that the button opens. */
const press = (name) => async (page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole(/Remover|Deletar/.test(String(name)) ? 'alertdialog' : 'dialog').waitFor();
};
/** Waits for the dialog that the URL opens. @param {import('playwright-core').Page} page */
const waitForDialog = (page) => page.getByRole('dialog').waitFor();
const openKey = (page) => page.getByRole('button', { expanded: false }).first().click();
const pressInKey = (name) => async (page) => {
  await openKey(page);
  await press(name)(page);
};
const createKey = async (page) => {
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Aplicativo da loja');
  await page.getByRole('checkbox').first().check();
  await press('Criar chave')(page);
};
const openSecondStep = async (page) => {
  await page.getByRole('button', { name: 'Manualmente' }).click();
  // A step fades in even with reduced motion.
  await page.waitForFunction(() => getComputedStyle(document.querySelector('form')?.parentElement).opacity === '1');
};
const openPalette = async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
};
const makeBackup = async (page) => {
  const verifiedBackup = page.getByRole('listitem').filter({ hasText: 'Verificado' }).first();
  if (!(await verifiedBackup.isVisible())) await page.getByRole('button', { name: 'Fazer backup agora' }).click();
  await verifiedBackup.waitFor();
};
const chooseBucket = async (page) => {
  await page.getByRole('radio', { name: 'S3' }).check({ force: true });
};
/** Returns the id of the first tenant or project. @param {string} list */
const getFirstId = async (list) => (await stack.request('GET', `/${list}`))[0]._id;
const { subdomains } = /** @type {{ subdomains: { subdomain: string }[] }} */ (
  await stack.request('GET', '/subdomains?page=1&limit=1')
);
const subdomainPath = `/admin/subdomains/${subdomains[0].subdomain}`;
/**
 * @typedef {[name: string, path: string, needsLogin: boolean, prepare?: (page: import('playwright-core').Page) =>
 * unknown]} Screen
 */
/**
 * Lists one screen for each tab of a page.
 * @param {string} name
 * @param {string} path
 * @param {string[]} tabs
 * @returns {Screen[]}
 */
const listTabScreens = (name, path, tabs) => tabs.map((tab) => [`${name}-${tab}`, `${path}?aba=${tab}`, true]);
/** @type {Screen[]} */
const screens = [
  ['landing', '/', false],
  ['contact', '/contact', false],
  ['login', '/login', false],
  ['not-found', '/nao-existe', false],
  ['subdomains', '/admin', true],
  ['subdomain-configure', '/admin', true, openSecondStep],
  ['overview', '/admin', true, (page) => page.getByText('Visão geral', { exact: true }).click()],
  ['subdomain-edit', '/admin', true, press(/^Editar/)],
  ['subdomain-removal', '/admin', true, press(/^Remover/)],
  ['subdomain-page', subdomainPath, true],
  ...listTabScreens('subdomain', subdomainPath, ['versoes', 'regras', 'dominios', 'requisicoes']),
  ['alerts', '/alerts', true],
  ...listTabScreens('alerts', '/alerts', ['historico', 'canais', 'regras', 'manutencao']),
  ['alerts-channel', '/alerts?aba=canais&novo=1', true, waitForDialog],
  ['alerts-rule', '/alerts?aba=regras', true, press(/^Editar/)],
  ['alerts-window', '/alerts?aba=manutencao&novo=1', true, waitForDialog],
  ['tenants', '/tenants', true],
  ['tenant-create', '/tenants?novo=1', true, waitForDialog],
  ['tenant-edit', '/tenants', true, press(/^Editar/)],
  ['tenant-domain', '/tenants', true, press(/domínio de/)],
  ['tenant-domain-status', '/tenants', true, press(/^Alterar domínio de/)],
  ['tenant-move', '/tenants', true, press(/^Mover/)],
  ['tenant-removal', '/tenants', true, press(/^Remover/)],
  ['tenant-page', `/tenants/${await getFirstId('tenants')}`, true],
  ['tenant-domains', `/tenants/${await getFirstId('tenants')}?aba=dominios`, true],
  ['tenant-rules', `/tenants/${await getFirstId('tenants')}?aba=regras`, true],
  ['tenant-versions', `/tenants/${await getFirstId('tenants')}?aba=versoes`, true],
  ['projects', '/projects', true],
  ['project-page', `/projects/${await getFirstId('projects')}`, true],
  ['project-create', '/projects?novo=1', true, waitForDialog],
  ['project-edit', '/projects', true, press(/^Editar/)],
  ['project-removal', '/projects', true, press(/^Remover/)],
  ['settings', '/settings', true],
  ['messages', '/settings?aba=mensagens', true],
  ['administrators', '/settings?aba=administradores', true],
  ['administrator-create', '/settings?aba=administradores&novo=1', true, waitForDialog],
  ['account', '/settings?aba=conta', true],
  ['account-totp', '/settings?aba=conta', true, press('Ativar segundo fator')],
  ['tokens', '/settings?aba=tokens', true],
  ['token-create', '/settings?aba=tokens&novo=1', true, waitForDialog],
  ['service-account-create', '/settings?aba=tokens&nova-conta=1', true, waitForDialog],
  ['backup', '/settings?aba=backup', true, makeBackup],
  ['backup-plan', '/settings?aba=backup&plano=1', true, chooseBucket],
  ['activity', '/settings?aba=atividade', true],
  ['gateway-keys', '/gateway/keys', true],
  ['gateway-key-create', '/gateway/keys?nova=1', true],
  ['gateway-key-open', '/gateway/keys', true, openKey],
  ['gateway-key-edit', '/gateway/keys', true, pressInKey(/^Editar/)],
  ['gateway-key-requests', '/gateway/keys', true, pressInKey(/^Últimas requisições/)],
  ['gateway-key-removal', '/gateway/keys', true, pressInKey(/^Deletar/)],
  ['gateway-services', '/gateway/management', true],
  ['gateway-service-edit', '/gateway/management', true, press(/^Editar/)],
  ['gateway-service-removal', '/gateway/management', true, press(/^(Remover|Deletar)/)],
  ['gateway-import', '/gateway/management', true, press(/^Importar Rotas/)],
  ['gateway-routes', '/gateway/management?tab=rotas', true],
  ['gateway-route-create', '/gateway/management?tab=rotas&nova=1', true, waitForDialog],
  ['gateway-route-edit', '/gateway/management?tab=rotas', true, press(/^Editar/)],
  ['gateway-route-test', '/gateway/management?tab=rotas', true, press(/^Testar rota/)],
  ['gateway-route-removal', '/gateway/management?tab=rotas', true, press(/^(Remover|Deletar)/)],
  ['gateway-metrics', '/gateway/metrics', true],
  ['palette', '/admin', true, openPalette],
  // This screen comes last because it creates a key.
  ['gateway-key-created', '/gateway/keys?nova=1', true, createKey],
];

const namePrefixes = options.only?.split(',');
const chosenScreens = screens.filter(([name]) => namePrefixes?.some((prefix) => name.startsWith(prefix)) ?? true);

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
const pictures = [];
for (const theme of options.themes.split(',')) {
  for (const width of options.widths.split(',').map(Number)) {
    for (const isLoggedIn of [false, true]) {
      const context = await browser.newContext({
        locale: 'pt-BR',
        timezoneId: 'America/Sao_Paulo',
        reducedMotion: 'reduce',
        viewport: { width, height: width < 1920 ? 860 : 1080 },
      });
      await context.addInitScript(
        ([colorScheme, storedToken]) => {
          localStorage.setItem('theme', colorScheme);
          if (storedToken) localStorage.setItem('token', storedToken);
        },
        [theme, isLoggedIn ? token : ''],
      );
      const page = await context.newPage();
      for (const [name, path, needsLogin, prepare] of chosenScreens) {
        if (needsLogin !== isLoggedIn) continue;
        await page.goto(origin + path);
        // A skeleton has no heading, or is inside `aria-busy`. `getByRole` would miss a heading behind a dialog.
        await page.locator('h1').first().waitFor();
        await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready);
        await prepare?.(page);
        // On a busy machine a screenshot can show an earlier frame.
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        const file = `${name}-${theme}-${width}.png`;
        await page.screenshot({ path: join(output, file), fullPage: options.whole });
        pictures.push({ name, theme, width, file });
      }
      await context.close();
    }
  }
}

const sheet = chosenScreens
  .map(([name]) => {
    const screenPictures = pictures.filter((picture) => picture.name === name);
    return `<h2>${name}</h2><div>${screenPictures.map(({ file, width }) => `<img src="${file}" width="${width / 3}">`).join('')}</div>`;
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

const viewportPictures = new Set(options.whole ? [] : pictures.map(({ file }) => file));
for (const [from, to] of [
  ['subdomains-light-1280.png', 'subdomains-light.png'],
  ['tenants-dark-1280.png', 'tenants-dark.png'],
  ['gateway-metrics-light-360.png', 'gateway-metrics-phone.png'],
]) {
  if (viewportPictures.has(from)) cpSync(join(output, from), join(root, '.github/images', to));
}
process.stdout.write(`${pictures.length} imagens em ${output}\n`);
await stack.stop();
