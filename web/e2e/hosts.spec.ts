import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Browser, Page } from 'playwright-core';
import { createAuthority } from '../../core-api/src/testing/certificates';
import { type Records, startDns } from '../../core-api/src/testing/dns';
import { sendRequest } from '../../core-api/src/testing/edge';
import { findFreePort, waitFor } from '../../scripts/testing/program';
import { Stack } from '../../scripts/testing/stack';
import {
  expectCopied,
  expectNotice,
  launchBrowser,
  openPage,
  waitForDialogFocus,
  watchClipboard,
} from './support/browser';
import { controls } from './support/controls';

const SERVER_IP = '203.0.113.1';
const records: Records = {};
/** Certificates by host name. The handshake fails for any other name. */
const certificates = new Map<string, { key: string; cert: string }>();

let stack: Stack;
let browser: Browser;
let page: Page;
const { button, field } = controls(() => page);
let target: Server;
let dns: Awaited<ReturnType<typeof startDns>>;
let authority: Awaited<ReturnType<typeof createAuthority>>;
let tlsServer: TlsServer;
let port = 0;
/** File with the certificate of the authority. */
let authorityFile = '';

/** Listens on a free loopback port. @returns the port */
async function listen(server: Server | TlsServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeAll(async () => {
  dns = await startDns(records);
  authority = await createAuthority();
  tlsServer = createTlsServer({
    SNICallback: (name, done) => {
      const certificate = certificates.get(name);
      if (certificate) done(null, createSecureContext(certificate));
      else done(new Error('no certificate yet'));
    },
  });
  tlsServer.on('tlsClientError', () => undefined);
  const tlsPort = await listen(tlsServer);
  authorityFile = join(tmpdir(), `authority-${tlsPort}.pem`);
  writeFileSync(authorityFile, authority.certificate);
  stack = await Stack.start({
    environment: {
      SERVER_IP,
      DNS_SERVERS: dns.address,
      TLS_CHECK_ADDRESS: `127.0.0.1:${tlsPort}`,
      NODE_EXTRA_CA_CERTS: authorityFile,
    },
  });
  browser = await launchBrowser();
  target = createServer((_request, response) => response.end('ok'));
  port = await listen(target);
  ({ page } = await openPage(browser, stack, { token: await stack.logIn() }));
  await page.goto(`${stack.url}/admin`);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  target?.close();
  tlsServer?.close();
  await dns?.stop();
  rmSync(authorityFile, { force: true });
});

async function readFirstProjectId(): Promise<string> {
  const [firstProject] = (await stack.request('GET', '/projects')) as { _id: string }[];
  return firstProject?._id ?? '';
}

test('a target is tested before the save, and the save reports that the edge serves it', async () => {
  await field('O que este serviço faz?').fill('Loja');
  await button('Manualmente').click();
  await field('Subdomínio').fill('Lojá');
  await page.getByLabel('Porta', { exact: true }).fill(String(port));
  expect(await field('Subdomínio').inputValue()).toBe('loja');
  await button('Testar conexão').click();
  const result = page.getByRole('status', { name: 'Resultado do teste' });
  await result.getByText(/^Resposta: /).waitFor();
  expect(await result.locator('[data-ok="false"]').count()).toBe(0);
  await button('Criar subdomínio').click();
  await expectNotice(page, 'Subdomínio criado com sucesso!');
  await expectNotice(page, /já responde com esta configuração\.$/);
});

test('the save of a target that does not respond shows a warning', async () => {
  const unusedPort = await findFreePort();
  await field('O que este serviço faz?').fill('Blog');
  await button('Manualmente').click();
  await field('Subdomínio').fill('morto');
  await page.getByLabel('Porta', { exact: true }).fill(String(unusedPort));
  await button('Criar subdomínio').click();
  await expectNotice(page, 'Subdomínio criado com sucesso!');
  await expectNotice(page, `Ninguém atende na porta ${unusedPort}.`);
  await stack.request('DELETE', '/subdomains/morto');
});

test('a row shows the health of its target, and its button checks again', async () => {
  const row = page.getByRole('row', { name: /loja/ });
  await button('Verificar loja agora').click();
  await row.getByText('No ar', { exact: true }).waitFor();
  const targetClosed = new Promise((resolve) => target.close(resolve));
  target.closeAllConnections();
  await targetClosed;
  await button('Verificar loja agora').click();
  await row.getByText('Fora do ar', { exact: true }).waitFor();
});

test('the row of a paused subdomain shows its state', async () => {
  await button('Editar loja').click();
  await page.getByRole('checkbox', { name: /^Pausar/ }).check();
  await button('Salvar').click();
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  await page.getByRole('row', { name: /loja/ }).getByText('Pausado', { exact: true }).waitFor();
});

/** Waits until a host responds with this status, which shows that the edge serves the saved configuration. */
const waitForStatus = (host: string, status: number) =>
  waitFor(`${status} from ${host}`, async () => (await sendRequest(stack.port, { host })).status === status);

/**
 * Opens the latest requests of a row, and expects a request with this path and status, and without its query string.
 */
async function expectLatestRequest(rowName: string, subjectName: string, path: string, status: string): Promise<void> {
  await button(`Requisições ${rowName}`).click();
  const drawer = page.getByRole('dialog', { name: `Últimas requisições de ${subjectName}`, exact: true });
  const request = drawer.getByRole('listitem').filter({ hasText: path }).first();
  await request.getByText(status, { exact: true }).waitFor();
  expect(await request.textContent()).not.toContain('segredo');
  await waitForDialogFocus(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
}

test('the row of a subdomain opens its latest requests, without their query strings', async () => {
  await waitForStatus('loja.localhost', 503);
  await sendRequest(stack.port, { host: 'loja.localhost', path: '/vitrine?chave=segredo' });
  await expectLatestRequest('loja', `loja.localhost:${stack.port}`, '/vitrine', '503');
});

describe('the screen of tenants', () => {
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  const dialog = () => page.getByRole('dialog');
  const waitForClosedDialog = () => dialog().waitFor({ state: 'detached' });
  const projectIds: string[] = [];

  beforeAll(async () => {
    const runningServer = createServer((_request, response) => response.end('ok'));
    runningServer.unref();
    for (const [name, apiPort] of [
      ['CRM', await listen(runningServer)],
      ['Loja', 9],
    ] as const) {
      const project = await stack.create('/projects', { name, dbPrefix: 'crm', type: 'proxy', apiPort });
      projectIds.push(String(project._id));
    }
    const tenant = await stack.create('/tenants', { name: 'Antiga', subdomain: 'antiga', project: projectIds[0] });
    await stack.request('POST', `/tenants/${tenant._id}/domain`, { domain: 'passado.com.br' });
    await stack.request('DELETE', `/tenants/${tenant._id}/domain`);
  });

  test('the row of a tenant opens its latest requests, without their query strings', async () => {
    await waitForStatus('antiga.localhost', 200);
    await sendRequest(stack.port, { host: 'antiga.localhost', path: '/agenda?token=segredo' });
    await page.goto(`${stack.url}/tenants`);
    await expectLatestRequest('Antiga', 'Antiga', '/agenda', '200');
  });

  test('the subdomain is proposed from the name until it is edited', async () => {
    await page.goto(`${stack.url}/tenants?novo=1`);
    await page.getByLabel('Projeto', { exact: true }).selectOption({ label: 'CRM' });
    await field('Nome do Tenant').pressSequentially('Clínica Vida');
    expect(await field('Subdomínio').inputValue()).toBe('clinica-vida');
    await field('Subdomínio').fill('clinica');
    await field('Nome do Tenant').press('End');
    await field('Nome do Tenant').pressSequentially(' & Saúde');
    expect(await field('Subdomínio').inputValue()).toBe('clinica');
    await button('Salvar').click();
    await expectNotice(page, 'Tenant salvo com sucesso!');
    await expectNotice(page, /já responde com esta configuração\.$/);
    await waitForClosedDialog();
  });

  test('a tenant shows its health, moves to another project and is paused', async () => {
    await button('Verificar Clínica Vida & Saúde agora').click();
    await row('Clínica').getByText('No ar', { exact: true }).waitFor();
    await button('Mover Clínica Vida & Saúde').click();
    await page.getByText('O banco de dados continua sendo crm_clínica_vida_&_saúde.').waitFor();
    await page.getByLabel('Novo projeto').selectOption({ label: 'Loja' });
    await dialog().getByRole('button', { name: 'Mover' }).click();
    await expectNotice(page, 'Tenant movido com sucesso!');
    await row('Clínica').getByRole('link', { name: 'Loja' }).waitFor();
    await button('Verificar Clínica Vida & Saúde agora').click();
    await row('Clínica').getByText('Fora do ar', { exact: true }).waitFor();
    await button('Editar Clínica Vida & Saúde').click();
    await page.getByRole('checkbox', { name: /^Pausar/ }).check();
    await button('Salvar').click();
    await waitForClosedDialog();
    await row('Clínica').getByText('Pausado', { exact: true }).waitFor();
  });

  test('a tenant links to its project, and a project to its tenants', async () => {
    await row('Clínica').getByRole('link', { name: 'Loja' }).click();
    await page.getByRole('heading', { level: 1, name: 'Loja' }).waitFor();
    await page.getByRole('link', { name: 'Projetos', exact: true }).last().click();
    await button('Tenants Loja').click();
    await row('Clínica').waitFor();
    expect(await row('Antiga').count()).toBe(0);
    // A new tenant gets the project of the filter.
    await button('Novo Tenant').click();
    const chosenProject = page.getByLabel('Projeto', { exact: true }).locator('option:checked');
    await chosenProject.filter({ hasText: 'Loja' }).waitFor({ state: 'attached' });
    await button('Cancelar').click();
  });

  test('a pasted URL becomes the domain; DNS and certificate are shown for the domain and for its www', async () => {
    await button('Adicionar domínio de Clínica Vida & Saúde').click();
    await page.evaluate(() => navigator.clipboard.writeText('https://www.vida.com.br/loja'));
    await field('Domínio').press('ControlOrMeta+v');
    expect(await field('Domínio').inputValue()).toBe('vida.com.br');
    await page.getByRole('radio', { name: 'Só sem www' }).check();
    await button('Salvar e Configurar').click();
    await expectNotice(page, 'Domínio configurado com sucesso! A propagação do SSL pode levar alguns minutos.');
    await waitForClosedDialog();
    await row('Clínica').getByText('Aguardando DNS', { exact: true }).waitFor();

    await button('Alterar domínio de Clínica Vida & Saúde').click();
    const domainState = page.getByRole('region', { name: 'Situação do domínio' });
    const host = (name: string) =>
      domainState.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
    await host('vida.com.br').getByText('O DNS não tem registros deste nome. Crie os que estão abaixo.').waitFor();
    const table = domainState.getByRole('table', { name: 'O que criar no provedor de DNS de vida.com.br' });
    const cells = await table.getByRole('row').nth(2).getByRole('cell').allTextContents();
    expect(cells.map((cell) => cell.trim())).toEqual(['A', 'www.vida.com.br', SERVER_IP]);
    await table
      .getByRole('button', { name: `Copiar o valor ${SERVER_IP}` })
      .first()
      .click();
    await expectCopied(page, SERVER_IP);

    records['A vida.com.br'] = [SERVER_IP];
    records['A www.vida.com.br'] = ['198.51.100.7'];
    await button('Verificar agora').click();
    await host('vida.com.br').getByText('Emitindo', { exact: true }).waitFor();
    await host('www.vida.com.br')
      .getByText('O DNS aponta para outro lugar. Troque os registros pelos que estão abaixo.')
      .waitFor();
    await host('www.vida.com.br').getByText('Encontrado: A 198.51.100.7', { exact: true }).waitFor();

    records['A www.vida.com.br'] = [SERVER_IP];
    certificates.set('vida.com.br', await authority.issue(['vida.com.br']));
    certificates.set('www.vida.com.br', await authority.issue(['www.vida.com.br'], 5.5));
    await button('Verificar agora').click();
    await host('vida.com.br').getByText('Ativo', { exact: true }).waitFor();
    await host('vida.com.br')
      .getByText(/^Certificado de Autoridade de Teste, até/)
      .waitFor();
    await host('www.vida.com.br').getByText('Expira em 5 dias', { exact: true }).waitFor();
    await button('Cancelar').click();
    await waitForClosedDialog();
    await row('Clínica').getByText('Expira em 5 dias', { exact: true }).waitFor();
  });

  test('a domain that another tenant had is claimed with a TXT record, which has a button to copy it', async () => {
    const otherTenant = await stack.create('/tenants', { name: 'Nova', subdomain: 'nova', project: projectIds[0] });
    await page.goto(`${stack.url}/tenants?dominio=${otherTenant._id}`);
    await field('Domínio').fill('passado.com.br');
    await button('Salvar e Configurar').click();
    const proofRecord = page.getByRole('region', { name: 'Registro que comprova o domínio' });
    await proofRecord.getByText('_studio-proof.passado.com.br', { exact: true }).waitFor();
    const nextCopiedText = await watchClipboard(page);
    await proofRecord.getByRole('button', { name: /^Copiar o valor/ }).click();
    records['TXT _studio-proof.passado.com.br'] = [await nextCopiedText()];
    await button('Salvar e Configurar').click();
    await expectNotice(page, /^Domínio configurado com sucesso!/);
  });
});

test('the overview lists problems with links to them, and stays open after a reload', async () => {
  await stack.create('/subdomains', { subdomain: 'caido', description: 'Fora', type: 'proxy', port: 9 });
  await stack.request('POST', '/subdomains/caido/check');
  await page.goto(`${stack.url}/admin`);
  const summary = page.getByText(/^1\ssubdomínio fora do ar · .*1\sdomínio à espera · 1\scertificado expirando/);
  await summary.waitFor();
  const countBrokenCounts = () =>
    summary.evaluate(({ firstChild }) => {
      const counts = [...(firstChild?.textContent ?? '').matchAll(/\d+\s\S+/g)];
      return counts.filter(([text], index) => {
        const range = new Range();
        const start = counts[index]?.index ?? 0;
        if (firstChild) range.setStart(firstChild, start);
        if (firstChild) range.setEnd(firstChild, start + text.length);
        return range.getClientRects().length !== 1;
      }).length;
    });
  for (let width = 320; width < 440; width += 10) {
    await page.setViewportSize({ width, height: 844 });
    expect([width, await countBrokenCounts()]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await summary.click();
  await page.getByRole('link', { name: 'caido', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'www.vida.com.br', exact: true }).click();
  await page.getByRole('dialog', { name: 'Domínio Personalizado' }).waitFor();
  expect(await field('Domínio').inputValue()).toBe('vida.com.br');
});

test('lists are refetched when the network is back', async () => {
  await page.goto(`${stack.url}/admin`);
  await page.getByRole('row', { name: /caido/ }).waitFor();
  await stack.request('PUT', '/subdomains/caido', { description: 'Outra pessoa mudou isto' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByText('Outra pessoa mudou isto', { exact: true }).waitFor();
  await page.goto(`${stack.url}/tenants`);
  await page.getByRole('row', { name: /Antiga/ }).waitFor();
  await stack.create('/tenants', { name: 'De outra pessoa', subdomain: 'outra', project: await readFirstProjectId() });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('row', { name: /De outra pessoa/ }).waitFor();
});

test('a button of the top bar opens the palette, also on a phone', async () => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('button', { name: 'Ir para qualquer tela, tenant ou projeto' }).click();
    await page.getByRole('combobox', { name: 'Buscar telas, ações, tenants e projetos' }).fill('Antiga');
    await page.getByRole('option', { name: /Antiga/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});
