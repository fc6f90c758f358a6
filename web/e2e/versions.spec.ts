import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { expectNotice, waitForDialogFocus, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createHold } from './support/hold';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  failsOnPageErrors: true,
  width: 360,
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Each test begins with one site, which has no versions. */
beforeEach(async () => {
  await app.stack.removeAll('/subdomains');
  await app.stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'static', source: 'versions' });
});

const toTabUrl = (aba: string) => `${app.stack.url}/admin/subdomains/loja?aba=${aba}`;
/** Reads the body of the current response of a site. */
const readSiteBody = (path = '/', subdomain = 'loja') =>
  new Promise<string>((resolve, reject) => {
    const headers = { Host: `${subdomain}.localhost:${app.stack.port}` };
    get({ host: '127.0.0.1', port: app.stack.port, path, headers, agent: false }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });

/** Creates a folder `dist` with these files. @returns its path */
function createFolder(name: string, files: Record<string, string>): string {
  const folder = join(app.stack.folder, name, 'dist');
  mkdirSync(join(folder, 'css'), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  return folder;
}

/** Zips a folder, or only `content` within it, to a file beside the folder. @returns the path of the file */
function zipFolder(folder: string, name: string, content = '.'): string {
  const path = join(folder, '..', name);
  execFileSync('zip', ['-q', '-r', path, content], { cwd: folder });
  return path;
}

/** Publishes a start page as the next version of a site by REST, and waits until the site shows it. */
async function publish(html: string, subdomain = 'loja'): Promise<void> {
  const archive = zipFolder(createFolder('published', { 'index.html': html }), 'published.zip');
  const response = await fetch(`${app.stack.coreUrl}/api/subdomains/${subdomain}/versions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/zip', Authorization: `Bearer ${await app.stack.logIn()}` },
    body: readFileSync(archive),
  });
  expect(response.status).toBe(201);
  await waitFor('the site shows the version', async () => (await readSiteBody('/', subdomain)) === html);
}

const chooseFolder = (folder: string) => page.locator('input[type="file"]').first().setInputFiles(folder);
const noteField = () => page.getByRole('textbox', { name: /^O que mudou/ });

test('a folder is published with a note, but no hidden files; the next version sends only changed files', async () => {
  await page.goto(toTabUrl('versoes'));
  await page.getByText('Nenhuma versão ainda.').waitFor();
  await noteField().fill('Primeira');
  await chooseFolder(createFolder('one', { 'index.html': '<h1>Um</h1>', 'css/a.css': 'a{}', '.env': 'SECRET' }));
  await expectNotice(page, 'Versão 1 publicada!');
  await expectNotice(page, /já responde com esta versão\.$/);
  await page.getByText('.env ficou de fora.').first().waitFor();
  expect([await readSiteBody(), await readSiteBody('/css/a.css')]).toEqual(['<h1>Um</h1>', 'a{}']);
  expect(await app.stack.request('GET', '/subdomains/loja/versions')).toMatchObject([{ message: 'Primeira' }]);

  const sentDigests: string[] = [];
  await page.route('**/content/*', (route, request) => {
    sentDigests.push(request.url().replace(/^.*\//, ''));
    return route.continue();
  });
  await chooseFolder(createFolder('two', { 'index.html': '<h1>Dois</h1>', 'css/a.css': 'a{}' }));
  await expectNotice(page, 'Versão 2 publicada!');
  // The server has the style sheet of the first version.
  expect(sentDigests).toEqual([createHash('sha256').update('<h1>Dois</h1>').digest('hex')]);
  expect(await readSiteBody()).toBe('<h1>Dois</h1>');
});

test('the files that a version changed are listed', async () => {
  await publish('<h1>Um</h1>');
  await publish('<h1>Dois</h1>');
  await page.goto(toTabUrl('versoes'));
  await button('Arquivos alterados Versão 2').click();
  const dialog = page.getByRole('dialog', { name: 'Arquivos alterados na versão 2' });
  await dialog.getByText('Novos: 0, alterados: 1, removidos: 0').waitFor();
  await dialog.getByText('index.html').waitFor();
  await dialog.getByRole('button', { name: 'Fechar' }).first().click();
  await dialog.waitFor({ state: 'detached' });
});

test('an earlier version is activated again', async () => {
  await publish('<h1>Um</h1>');
  await publish('<h1>Dois</h1>');
  await page.goto(toTabUrl('versoes'));
  await button('Voltar para esta versão Versão 1').click();
  await waitForDialogFocus(page);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Colocar no ar');
  await page.keyboard.press('Enter');
  await expectNotice(page, 'Versão 1 no ar!');
  await expectNotice(page, /já responde com esta versão\.$/);
  expect(await readSiteBody()).toBe('<h1>Um</h1>');
});

test('an Enter that stays down opens the question, but does not answer it', async () => {
  await publish('<h1>Um</h1>');
  await publish('<h1>Dois</h1>');
  await page.goto(toTabUrl('versoes'));
  await button('Voltar para esta versão Versão 1').focus();
  await page.keyboard.down('Enter');
  await waitForDialogFocus(page);
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  const confirmButton = page.getByRole('alertdialog').getByRole('button', { name: 'Colocar no ar' });
  expect(await confirmButton.evaluate((element) => element.ariaBusy)).toBeNull();
});

test('the command of a pipeline breaks only between words', async () => {
  await page.goto(toTabUrl('versoes'));
  const command = page.locator('pre code');
  for (let width = 320; width <= 440; width += 10) {
    await page.setViewportSize({ width, height: 900 });
    const brokenWords = await command.evaluate((element) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const words: string[] = [];
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        for (const { 0: word, index } of node.textContent?.matchAll(/\S+/g) ?? []) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) words.push(word);
        }
      }
      return words;
    });
    // The URL is longer than a line.
    expect(brokenWords.filter((word) => !word.startsWith('http'))).toEqual([]);
  }
});

test('the form of a pipeline token has the site filled in, and replaces a typed URL of a site with its label', async () => {
  await page.goto(toTabUrl('versoes'));
  await page.getByRole('link', { name: 'Criar token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Novo token' });
  expect(await dialog.getByRole('radio', { name: 'Publicar um site' }).isChecked()).toBe(true);
  const site = field('Site');
  expect(await site.inputValue()).toBe('loja');
  await site.fill(`http://loja.localhost:${app.stack.port}/`);
  await site.blur();
  expect(await site.inputValue()).toBe('loja');
});

test('a site that serves versions is created without a folder, and links to the upload of its first version', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByLabel('O que este serviço faz?').fill('Cardápio');
  await button('Manualmente').click();
  await field('Subdomínio').fill('cardapio');
  await page.getByRole('radio', { name: 'Estático' }).check();
  await button('Testar conexão').waitFor();
  await page.getByRole('radio', { name: 'Envio de arquivos' }).check();
  await field('Caminho dos Arquivos Estáticos').waitFor({ state: 'detached' });
  expect(await button('Testar conexão').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await button('Criar subdomínio').click();
  await expectNotice(page, 'Ainda não tem versão publicada: visitantes veem 404.');
  const row = page.getByRole('listitem').filter({ hasText: 'cardapio' });
  expect(await app.stack.request('GET', '/subdomains/cardapio')).toMatchObject({
    source: 'versions',
    staticPath: null,
  });
  await button('Publicar versão').click();
  await page.waitForURL('**/admin/subdomains/cardapio?aba=versoes');
  await page.goBack();
  await row.getByRole('link', { name: 'Publicar versão' }).click();
  await page.waitForURL('**/admin/subdomains/cardapio?aba=versoes');
  await page.getByRole('tab', { name: 'Visão geral' }).click();
  await page.getByRole('tabpanel').getByRole('link', { name: 'Publicar versão' }).click();
  await page.waitForURL('**/admin/subdomains/cardapio?aba=versoes');
  const listLink = page.locator('#content').getByRole('link', { name: 'Subdomínios' });
  await listLink.click();
  await row.getByRole('link', { name: 'Envio de arquivos' }).click();
  await page.waitForURL('**/admin/subdomains/cardapio?aba=versoes');
  await page.getByText('Nenhuma versão ainda.').waitFor();
  await chooseFolder(createFolder('menu', { 'index.html': '<h1>Cardápio</h1>' }));
  await expectNotice(page, 'Versão 1 publicada!');
  // The link navigates without a page load, so the list must replace the state that it cached before the publication.
  await listLink.click();
  await row.getByText('No ar').waitFor();
  expect(await row.getByRole('link', { name: 'Publicar versão' }).count()).toBe(0);
});

test('the return button is above the panel, the note above the file buttons, each action within its cell', async () => {
  const staticPath = join(app.stack.folder, 'sites', 'p'.repeat(62));
  mkdirSync(staticPath, { recursive: true });
  await app.stack.create('/subdomains', { subdomain: 'pasta', description: 'Pasta', type: 'static', staticPath });
  for (const html of ['<h1>Um</h1>', '<h1>Dois</h1>']) await publish(html, 'pasta');
  await page.goto(`${app.stack.url}/admin/subdomains/pasta?aba=versoes`);
  const returnButtonBox = await button(`Voltar à pasta ${staticPath}`).boundingBox();
  const panelBox = await page.locator('section[aria-label="Publicar"]').boundingBox();
  expect((panelBox?.y ?? 0) - (returnButtonBox?.y ?? 0) - (returnButtonBox?.height ?? 0)).toBeGreaterThanOrEqual(16);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  // Files are published as soon as they are chosen, so the note is above the buttons.
  const noteBox = await noteField().boundingBox();
  expect(noteBox?.y).toBeLessThan((await button('Escolher pasta').boundingBox())?.y ?? 0);
  const activateButton = button('Voltar para esta versão Versão 1');
  for (const width of [1280, 1200]) {
    await page.setViewportSize({ width, height: 900 });
    const cell = page.getByRole('cell').filter({ has: activateButton });
    const [cellBox, actionBox] = await Promise.all([cell.boundingBox(), activateButton.boundingBox()]);
    expect(actionBox?.x).toBeGreaterThanOrEqual(cellBox?.x ?? Number.POSITIVE_INFINITY);
  }
});

test('the activity lists a publication as a change of the site and as a change of the version', async () => {
  const subdomain = 'ativo';
  await app.stack.create('/subdomains', { subdomain, description: 'Ativo', type: 'static', source: 'versions' });
  await page.goto(`${app.stack.url}/admin/subdomains/${subdomain}?aba=versoes`);
  await chooseFolder(createFolder('active', { 'index.html': '<h1>Ativo</h1>' }));
  await expectNotice(page, 'Versão 1 publicada!');
  await page.goto(`${app.stack.url}/settings?aba=atividade`);
  const siteChange = page.getByText('Versão no ar: vazio → ativo #1').first();
  const versionChange = page.getByText('Estado: em envio → pronta').first();
  await siteChange.waitFor();
  await versionChange.waitFor();
  await page.getByLabel('O que mudou').selectOption('subdomain');
  await versionChange.waitFor({ state: 'detached' });
  await siteChange.waitFor();
});

/** Drops a file or a folder on the panel, as the file manager does. */
async function drop(path: string): Promise<void> {
  const box = await page.locator('section[aria-label="Publicar"]').boundingBox();
  const cdpSession = await page.context().newCDPSession(page);
  const position = { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await cdpSession.send('Input.dispatchDragEvent', { type, ...position, data });
  }
  await cdpSession.detach();
}

test('a zip and a folder can be dropped on the panel', async () => {
  const folder = createFolder('three', { 'index.html': '<h1>Três</h1>' });
  await page.goto(toTabUrl('versoes'));
  await button('Escolher zip ou tar.gz').waitFor();
  await drop(zipFolder(folder, 'site.zip'));
  await expectNotice(page, 'Versão 1 publicada!');
  expect(await readSiteBody()).toBe('<h1>Três</h1>');
  await drop(createFolder('four', { 'index.html': '<h1>Quatro</h1>', 'css/b.css': 'b{}' }));
  await expectNotice(page, 'Versão 2 publicada!');
  expect([await readSiteBody(), await readSiteBody('/css/b.css')]).toEqual(['<h1>Quatro</h1>', 'b{}']);
});

test('the panel shows why a package or its note is refused, and the site keeps its version', async () => {
  await publish('<h1>Um</h1>');
  const folder = createFolder('refused', { 'index.html': '<h1>Dois</h1>' });
  const archiveInput = page.locator('input[type="file"][accept]');
  await page.goto(toTabUrl('versoes'));
  await archiveInput.setInputFiles(zipFolder(folder, 'empty.zip', 'css'));
  await page.getByRole('alert').getByText('O pacote não tem index.html na raiz.').waitFor();
  await app.expectPageErrors(/status of 400/);
  await archiveInput.setInputFiles(join(folder, 'index.html'));
  await page.getByText('index.html não é um zip nem um tar.gz.').waitFor();
  await noteField().fill('a'.repeat(501));
  await chooseFolder(folder);
  await page.getByText('A mensagem pode ter no máximo 500 caracteres.').waitFor();
  expect(await readSiteBody()).toBe('<h1>Um</h1>');
});

test('a failed upload of one file ends the uploads of the other files', async () => {
  await page.goto(toTabUrl('versoes'));
  const { whileHeld, release } = createHold();
  let uploadCount = 0;
  await page.route('**/content/*', async (route) => {
    uploadCount += 1;
    if (uploadCount === 1) await route.fulfill({ status: 500, body: '' });
    else await whileHeld.then(() => route.abort()).catch(() => undefined);
  });
  const endedUpload = page.waitForEvent('requestfailed');
  await chooseFolder(createFolder('broken', { 'index.html': '<h1>Um</h1>', 'css/a.css': 'a{}' }));
  expect((await endedUpload).failure()?.errorText).toBe('net::ERR_ABORTED');
  release();
  await app.expectPageErrors(/status of 500/);
});

/** Opens the preview of the first version in a new page. @returns that page */
async function openPreview(): Promise<Page> {
  const link = page.getByRole('link', { name: 'Abrir prévia da versão 1' });
  const [preview] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  return preview;
}

test('a preview asks for a password only if it has one', async () => {
  await publish('<h1>Quatro</h1>');
  await page.goto(toTabUrl('versoes'));
  const publicPage = await openPreview();
  await publicPage.getByRole('heading', { name: 'Quatro' }).waitFor();
  await publicPage.close();
  await button('Prévia Versão 1').click();
  await page.getByLabel('Senha da prévia').fill('abre-te');
  await button('Salvar').click();
  await expectNotice(page, 'Prévia salva com sucesso!');
  const protectedPage = await openPreview();
  await protectedPage.getByLabel('Senha').fill('abre-te');
  await protectedPage.keyboard.press('Enter');
  await protectedPage.getByRole('heading', { name: 'Quatro' }).waitFor();
  await protectedPage.close();
});

test('a password is tested before it is saved, and then opens the site for visitors', async () => {
  await publish('<h1>Quatro</h1>');
  await page.goto(toTabUrl('regras'));
  const access = page.getByRole('region', { name: 'Acesso', exact: true });
  await access.getByRole('checkbox').check();
  await access.locator('input[type="password"]').fill('abre-te');
  await button('Testar').click();
  await page.getByText('Recusa com 401').waitFor();
  await page.getByRole('textbox', { name: /^Senha digitada/ }).fill('abre-te');
  await button('Testar').click();
  await page.getByText('Responde 200').waitFor();
  expect(await readSiteBody()).toBe('<h1>Quatro</h1>');
  await button('Salvar regras').click();
  await expectNotice(page, 'Regras salvas com sucesso!');
  expect(await access.locator('input[type="password"]').inputValue()).toBe('');
  // The next save keeps the password, although its field is empty.
  await page.getByRole('region', { name: 'Redirecionamentos' }).getByRole('checkbox').check();
  await field('De, para e status').fill('/velho /novo 302');
  await button('Salvar regras').click();
  await waitFor('the second save', async () => {
    const policy = await app.stack.request('GET', '/subdomains/loja/policy');
    return JSON.stringify(policy).includes('/velho');
  });
  expect(await app.stack.request('GET', '/subdomains/loja/policy')).toMatchObject({ access: { password: true } });
  await waitFor('the site asks for the password', async () => (await readSiteBody()) !== '<h1>Quatro</h1>');

  const visitor = await page.context().newPage();
  await visitor.goto(`http://loja.localhost:${app.stack.port}/`);
  await visitor.getByLabel('Senha').fill('errada');
  await visitor.keyboard.press('Enter');
  await visitor.getByText('Senha incorreta').waitFor();
  await visitor.getByLabel('Senha').fill('abre-te');
  await visitor.keyboard.press('Enter');
  await visitor.getByRole('heading', { name: 'Quatro' }).waitFor();
});

test('a saved password is kept when another rule is saved', async () => {
  const access = { password: 'abre-te', ips: [], require: 'all' };
  await app.stack.request('PUT', '/subdomains/loja/policy', { access });
  await page.goto(toTabUrl('regras'));
  await page.getByRole('region', { name: 'Redirecionamentos' }).getByRole('checkbox').check();
  await field('De, para e status').fill('/velho /novo 302');
  await button('Salvar regras').click();
  await expectNotice(page, 'Regras salvas com sucesso!');
  expect(await app.stack.request('GET', '/subdomains/loja/policy')).toMatchObject({
    access: { ...access, password: true },
    redirects: [{ from: '/velho', to: '/novo', status: 302 }],
  });
});

test('an invalid rule is refused with a message, and its invalid field gets the focus', async () => {
  const previousRules = await app.stack.request('GET', '/subdomains/loja/policy');
  await page.goto(toTabUrl('regras'));
  await page.getByRole('region', { name: 'Redirecionamentos' }).getByRole('checkbox').check();
  await field('De, para e status').fill('/velho /novo 302\nsem-destino');
  await button('Salvar regras').click();
  await page.getByText('Linha 2: escreva o caminho').waitFor();
  await field('De, para e status').fill('/velho /novo 302');
  const branding = page.getByRole('region', { name: 'Marca', exact: true });
  await branding.getByRole('checkbox').check();
  // The color is not the first field of its rule.
  const colorField = branding.getByRole('textbox', { name: /^Cor/ });
  await colorField.fill('azul');
  await button('Salvar regras').click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  expect(await colorField.evaluate((element) => element === document.activeElement)).toBe(true);
  await branding.getByText('Escreva a cor como #1d4ed8.').waitFor();
  const folder = createFolder('logo', { 'index.html': '<h1>Logo</h1>' });
  await branding.locator('input[type="file"]').setInputFiles(join(folder, 'index.html'));
  await branding.getByText('O logotipo deve ser um PNG de até 64 KB.').waitFor();
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  });
  const png = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('x') };
  await branding.locator('input[type="file"]').setInputFiles(png);
  await branding.getByText('O arquivo não pôde ser lido. Tente de novo.').waitFor();
  expect(await app.stack.request('GET', '/subdomains/loja/policy')).toEqual(previousRules);
});

test('a viewer sees versions and rules without controls that change them', async () => {
  await publish('<h1>Um</h1>');
  await app.signInAs('visita', { role: 'viewer' });
  const settled = watchNetwork(page);
  await page.goto(toTabUrl('versoes'));
  await page.getByRole('link', { name: 'Abrir prévia da versão 1' }).waitFor();
  await settled();
  for (const name of [/Escolher/, /Voltar para/, /Remover Versão/, /^Prévia Versão/])
    expect([name, await button(name).count()]).toEqual([name, 0]);
  await page.getByRole('tab', { name: 'Regras' }).click();
  await button('Testar').waitFor();
  expect(await button('Salvar regras').count()).toBe(0);
});
