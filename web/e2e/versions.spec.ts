import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { createAccount } from './support/account';
import { expectNotice, openPage, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

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
/** Reads the body of the current response of the site. */
const readSiteBody = (path = '/') =>
  new Promise<string>((resolve, reject) => {
    const headers = { Host: `loja.localhost:${app.stack.port}` };
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

/** Publishes a start page as the next version of the site by REST, and waits until the site shows it. */
async function publish(html: string): Promise<void> {
  const archive = zipFolder(createFolder('published', { 'index.html': html }), 'published.zip');
  const response = await fetch(`${app.stack.coreUrl}/api/subdomains/loja/versions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/zip', Authorization: `Bearer ${await app.stack.logIn()}` },
    body: readFileSync(archive),
  });
  expect(response.status).toBe(201);
  await waitFor('the site shows the version', async () => (await readSiteBody()) === html);
}

test('a folder is published, served and compared, and an earlier version is previewed and activated again', async () => {
  await page.goto(toTabUrl('versoes'));
  await page.getByText('Nenhuma versão ainda.').waitFor();
  // Choosing files publishes at once, so the options come before the buttons.
  const [noteBox, chooseBox] = await Promise.all([
    page.getByRole('textbox', { name: /^O que mudou/ }).boundingBox(),
    button('Escolher pasta').boundingBox(),
  ]);
  expect(noteBox?.y).toBeLessThan(chooseBox?.y ?? 0);
  const firstFolder = createFolder('one', { 'index.html': '<h1>Um</h1>', 'css/a.css': 'a{}', '.env': 'SECRET' });
  const note = page.getByRole('textbox', { name: /^O que mudou/ });
  await note.fill('a'.repeat(501));
  await page.locator('input[type="file"]').first().setInputFiles(firstFolder);
  await page.getByText('A mensagem pode ter no máximo 500 caracteres.').waitFor();
  await note.fill('Primeira');
  await page.locator('input[type="file"]').first().setInputFiles(firstFolder);
  await expectNotice(page, 'Versão 1 publicada!');
  await expectNotice(page, /já responde com esta versão\.$/);
  await page.getByText('.env ficou de fora.').first().waitFor();
  expect(await readSiteBody()).toBe('<h1>Um</h1>');
  expect(await readSiteBody('/css/a.css')).toBe('a{}');

  const secondFolder = createFolder('two', { 'index.html': '<h1>Dois</h1>', 'css/a.css': 'a{}' });
  const sentFiles: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sentFiles.push(request.url());
  });
  await page.locator('input[type="file"]').first().setInputFiles(secondFolder);
  await expectNotice(page, 'Versão 2 publicada!');
  // Only one file is sent, because the server has the style sheet of the first version.
  expect(sentFiles).toHaveLength(1);
  expect(await readSiteBody()).toBe('<h1>Dois</h1>');

  await button('Arquivos alterados Versão 2').click();
  const dialog = page.getByRole('dialog', { name: 'Arquivos alterados na versão 2' });
  await dialog.getByText('Novos: 0, alterados: 1, removidos: 0').waitFor();
  await dialog.getByText('index.html').waitFor();
  await dialog.getByRole('button', { name: 'Fechar' }).first().click();

  const preview = page.getByRole('link', { name: 'Abrir prévia da versão 1' });
  await preview.waitFor();
  const [previewPage] = await Promise.all([page.context().waitForEvent('page'), preview.click()]);
  await previewPage.getByRole('heading', { name: 'Um' }).waitFor();
  await previewPage.close();

  const activateButton = button('Voltar para esta versão Versão 1');
  for (const width of [1280, 1200]) {
    await page.setViewportSize({ width, height: 900 });
    const cell = page.getByRole('cell').filter({ has: activateButton });
    const [cellBox, actionBox] = await Promise.all([cell.boundingBox(), activateButton.boundingBox()]);
    expect(actionBox?.x).toBeGreaterThanOrEqual(cellBox?.x ?? Number.POSITIVE_INFINITY);
  }
  await page.setViewportSize({ width: 360, height: 900 });
  await activateButton.click();
  await button('Colocar no ar').click();
  await expectNotice(page, 'Versão 1 no ar!');
  await expectNotice(page, /já responde com esta versão\.$/);
  expect(await readSiteBody()).toBe('<h1>Um</h1>');
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
  await page.goto(`${app.stack.url}/admin`);
  await row.getByRole('link', { name: 'Envio de arquivos' }).click();
  await page.waitForURL('**/admin/subdomains/cardapio?aba=versoes');
  await page.getByText('Nenhuma versão ainda.').waitFor();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(createFolder('menu', { 'index.html': '<h1>Cardápio</h1>' }));
  await expectNotice(page, 'Versão 1 publicada!');
  // The link navigates without a page load, so the list must replace the state that it cached before the publication.
  await page.locator('#content').getByRole('link', { name: 'Subdomínios' }).click();
  await row.getByText('No ar').waitFor();
  expect(await row.getByRole('link', { name: 'Publicar versão' }).count()).toBe(0);
});

test('a site with versions offers to return to its folder, and the activity lists the changes of site and version', async () => {
  const staticPath = join(app.stack.folder, 'sites', 'p'.repeat(62));
  mkdirSync(staticPath, { recursive: true });
  await app.stack.create('/subdomains', { subdomain: 'pasta', description: 'Pasta', type: 'static', staticPath });
  await page.goto(`${app.stack.url}/admin/subdomains/pasta?aba=versoes`);
  await page.getByText('Nenhuma versão ainda.').waitFor();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(createFolder('folder', { 'index.html': '<h1>Pasta</h1>' }));
  await expectNotice(page, 'Versão 1 publicada!');
  const returnButtonBox = await button(`Voltar à pasta ${staticPath}`).boundingBox();
  const panelBox = await page.locator('section[aria-label="Publicar"]').boundingBox();
  expect((panelBox?.y ?? 0) - (returnButtonBox?.y ?? 0) - (returnButtonBox?.height ?? 0)).toBeGreaterThanOrEqual(16);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.goto(`${app.stack.url}/settings?aba=atividade`);
  await page.getByText('Versão no ar: vazio → pasta #1').first().waitFor();
  await page.getByText('Estado: em envio → pronta').first().waitFor();
  // With this filter the activity leaves out the entry of the version, so the entry of the subdomain is found.
  await page.goto(`${app.stack.url}/settings?aba=atividade&tipo=subdomain`);
  await page.getByText('Versão no ar: vazio → pasta #1').first().waitFor();
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

test('a zip and a folder are dropped, and the panel shows why a package is refused', async () => {
  await publish('<h1>Um</h1>');
  const folder = createFolder('three', { 'index.html': '<h1>Três</h1>' });
  const archive = zipFolder(folder, 'site.zip');
  const archiveWithoutPage = zipFolder(folder, 'empty.zip', 'css');
  const archiveInput = page.locator('input[type="file"][accept]');
  await page.goto(toTabUrl('versoes'));
  await button('Escolher zip ou tar.gz').waitFor();
  await archiveInput.setInputFiles(archiveWithoutPage);
  await page.getByRole('alert').getByText('O pacote não tem index.html na raiz.').waitFor();
  await app.expectPageErrors(/status of 400/);
  expect(await readSiteBody()).toBe('<h1>Um</h1>');
  await drop(archive);
  await expectNotice(page, 'Versão 2 publicada!');
  expect(await readSiteBody()).toBe('<h1>Três</h1>');
  await drop(createFolder('four', { 'index.html': '<h1>Quatro</h1>', 'css/b.css': 'b{}' }));
  await expectNotice(page, 'Versão 3 publicada!');
  expect([await readSiteBody(), await readSiteBody('/css/b.css')]).toEqual(['<h1>Quatro</h1>', 'b{}']);
  await archiveInput.setInputFiles(join(folder, 'index.html'));
  await page.getByText('index.html não é um zip nem um tar.gz.').waitFor();
});

test('a preview with a password asks for the password before it opens', async () => {
  await publish('<h1>Quatro</h1>');
  await page.goto(toTabUrl('versoes'));
  await button('Prévia Versão 1').click();
  await page.getByLabel('Senha da prévia').fill('abre-te');
  await button('Salvar').click();
  await expectNotice(page, 'Prévia salva com sucesso!');
  const [previewPage] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Abrir prévia da versão 1' }).click(),
  ]);
  await previewPage.getByLabel('Senha').fill('abre-te');
  await previewPage.keyboard.press('Enter');
  await previewPage.getByRole('heading', { name: 'Quatro' }).waitFor();
  await previewPage.close();
});

test('rules are tested before they are saved; the password that is set opens the site', async () => {
  await publish('<h1>Quatro</h1>');
  await page.goto(toTabUrl('regras'));
  const access = page.getByRole('region', { name: 'Acesso', exact: true });
  await access.getByRole('checkbox').check();
  await access.locator('input[type="password"]').fill('abre-te');
  await button('Testar').click();
  await page.getByText('Recusa com 401').waitFor();
  expect(await readSiteBody()).toBe('<h1>Quatro</h1>');
  await page.getByRole('textbox', { name: /^Senha digitada/ }).fill('abre-te');
  await button('Testar').click();
  await page.getByText('Responde 200').waitFor();
  await button('Salvar regras').click();
  await expectNotice(page, 'Regras salvas com sucesso!');
  await waitFor('the site asks for the password', async () => (await readSiteBody()) !== '<h1>Quatro</h1>');

  const visitor = await page.context().newPage();
  await visitor.goto(`http://loja.localhost:${app.stack.port}/`);
  await visitor.getByLabel('Senha').fill('errada');
  await visitor.keyboard.press('Enter');
  await visitor.getByText('Senha incorreta').waitFor();
  await visitor.getByLabel('Senha').fill('abre-te');
  await visitor.keyboard.press('Enter');
  await visitor.getByRole('heading', { name: 'Quatro' }).waitFor();
  await visitor.close();

  // The password is kept when another rule is saved.
  await page.reload();
  await page.getByRole('region', { name: 'Redirecionamentos' }).getByRole('checkbox').check();
  await field('De, para e status').fill('/velho /novo 302\nsem-destino');
  await button('Salvar regras').click();
  await page.getByText('Linha 2: escreva o caminho').waitFor();
  await field('De, para e status').fill('/velho /novo 302');
  await button('Salvar regras').click();
  await expectNotice(page, 'Regras salvas com sucesso!');
  // The error is shown at the invalid field of the rule, not at its first field.
  const branding = page.getByRole('region', { name: 'Marca', exact: true });
  await branding.getByRole('checkbox').check();
  const colorField = branding.getByRole('textbox', { name: /^Cor/ });
  await colorField.fill('azul');
  await button('Salvar regras').click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  expect(await colorField.evaluate((field) => field === document.activeElement)).toBe(true);
  await branding.getByText('Escreva a cor como #1d4ed8.').waitFor();
  await branding.locator('input[type="file"]').setInputFiles(join(app.stack.folder, 'published/dist/index.html'));
  await branding.getByText('O logotipo deve ser um PNG de até 64 KB.').waitFor();
  await page.reload();
  const rules = await app.stack.request('GET', '/subdomains/loja/policy');
  expect(rules).toMatchObject({
    access: { password: true, ips: [], require: 'all' },
    redirects: [{ from: '/velho', to: '/novo', status: 302 }],
  });
});

test('a viewer sees versions and rules without controls that change them', async () => {
  await publish('<h1>Um</h1>');
  const { token } = await app.stack.create('/login', await createAccount(app.stack, 'visita', { role: 'viewer' }));
  const viewer = await openPage(app.browser, app.stack, { token: String(token) });
  const viewerSettled = watchNetwork(viewer.page);
  await viewer.page.goto(toTabUrl('versoes'));
  await viewer.page.getByRole('link', { name: 'Abrir prévia da versão 1' }).waitFor();
  await viewerSettled();
  for (const name of [/Escolher/, /Voltar para/, /Remover Versão/, /^Prévia Versão/])
    expect([name, await viewer.page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  await viewer.page.goto(toTabUrl('regras'));
  await viewer.page.getByRole('button', { name: 'Testar' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Salvar regras' }).count()).toBe(0);
  expect(viewer.pageErrors).toEqual([]);
  await viewer.page.context().close();
});
