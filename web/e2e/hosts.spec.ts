import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Page } from 'playwright-core';
import { createCertificateAuthority } from '../../core-api/src/testing/certificates';
import { type Records, startDns } from '../../core-api/src/testing/dns';
import { sendRequest } from '../../core-api/src/testing/edge';
import { findFreePort, waitFor } from '../../scripts/testing/program';
import { listen, listenOnLoopback, type RunningServer } from '../../scripts/testing/server';
import { expectCopied, expectNotice, waitForDialogFocus, watchClipboard } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createUnusedDomain } from './support/unused-domain';

const SERVER_IP = '203.0.113.1';
const records: Records = {};
/** Certificates by host name. The handshake fails for any other name. */
const certificates = new Map<string, { key: string; cert: string }>();

let page: Page;
const { button, field } = controls(() => page);
let target: RunningServer;
let dns: Awaited<ReturnType<typeof startDns>>;
let authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
let tlsServer: TlsServer;
let port = 0;
/** Path of a file with the certificate of the authority. */
let authorityFile = '';

const app = startConsole({
  environment: async () => {
    dns = await startDns(records);
    authority = await createCertificateAuthority();
    tlsServer = createTlsServer({
      SNICallback: (name, done) => {
        const certificate = certificates.get(name);
        if (certificate) done(null, createSecureContext(certificate));
        else done(new Error('no certificate yet'));
      },
    });
    tlsServer.on('tlsClientError', () => undefined); // The handshake fails for names without a certificate.
    const tlsPort = await listenOnLoopback(tlsServer);
    authorityFile = join(tmpdir(), `authority-${tlsPort}.pem`);
    writeFileSync(authorityFile, authority.certificate);
    return {
      SERVER_IP,
      DNS_SERVERS: dns.address,
      TLS_CHECK_ADDRESS: `127.0.0.1:${tlsPort}`,
      NODE_EXTRA_CA_CERTS: authorityFile,
    };
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
/** Each test begins with a target that responds, and an installation without sites. */
beforeEach(async () => {
  for (const list of ['/subdomains', '/tenants', '/projects']) await app.stack.removeAll(list);
  target = await listen((_request, response) => response.end('ok'));
  port = target.port;
  await page.goto(`${app.stack.url}/admin`);
});
afterEach(() => target.stop());
afterAll(async () => {
  tlsServer?.close();
  await dns?.stop();
  rmSync(authorityFile, { force: true });
});

/** Creates a subdomain that leads to the target. */
const createShop = (fields: object = {}) =>
  app.stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port, ...fields });
/** Creates a project and a tenant of it. @returns their ids */
async function createTenant(name: string, subdomain: string, projectName: string, apiPort = port) {
  const project = await app.stack.create('/projects', { name: projectName, dbPrefix: 'crm', type: 'proxy', apiPort });
  const tenant = await app.stack.create('/tenants', { name, subdomain, project: project._id });
  return { tenantId: String(tenant._id), projectId: String(project._id) };
}

test('a target is tested before the save, and the save reports that the site responds', async () => {
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
});

test('the row of a subdomain shows the health of its target, and a button repeats the check', async () => {
  await createShop();
  await page.reload();
  const row = page.getByRole('row', { name: /loja/ });
  await button('Verificar loja agora').click();
  await row.getByText('No ar', { exact: true }).waitFor();
  await target.stop();
  await button('Verificar loja agora').click();
  await row.getByText('Fora do ar', { exact: true }).waitFor();
});

test('the row of a paused subdomain shows its state', async () => {
  await createShop();
  await page.reload();
  await button('Editar loja').click();
  await page.getByRole('checkbox', { name: /^Pausar/ }).check();
  await button('Salvar').click();
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  await page.getByRole('row', { name: /loja/ }).getByText('Pausado', { exact: true }).waitFor();
});

/** Waits until a host responds with this status, which shows that the edge serves the saved configuration. */
const waitForStatus = (host: string, status: number) =>
  waitFor(`${status} from ${host}`, async () => (await sendRequest(app.stack.port, { host })).status === status);

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
  await createShop({ paused: true });
  await page.reload();
  await waitForStatus('loja.localhost', 503);
  await sendRequest(app.stack.port, { host: 'loja.localhost', path: '/vitrine?chave=segredo' });
  await expectLatestRequest('loja', `loja.localhost:${app.stack.port}`, '/vitrine', '503');
});

describe('the screen of tenants', () => {
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  const dialog = () => page.getByRole('dialog');
  const waitForClosedDialog = () => dialog().waitFor({ state: 'detached' });

  test('the row of a tenant opens its latest requests, without their query strings', async () => {
    await createTenant('Antiga', 'antiga', 'CRM');
    await waitForStatus('antiga.localhost', 200);
    await sendRequest(app.stack.port, { host: 'antiga.localhost', path: '/agenda?token=segredo' });
    await page.goto(`${app.stack.url}/tenants`);
    await expectLatestRequest('Antiga', 'Antiga', '/agenda', '200');
  });

  test('the subdomain of a new tenant is proposed from the name until the subdomain is edited', async () => {
    await app.stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: port });
    await page.goto(`${app.stack.url}/tenants?novo=1`);
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

  test('a tenant shows its health, and can be moved to another project and paused', async () => {
    await createTenant('Clínica Vida & Saúde', 'clinica', 'CRM');
    await app.stack.create('/projects', { name: 'Loja', dbPrefix: 'crm', type: 'proxy', apiPort: 9 });
    await page.goto(`${app.stack.url}/tenants`);
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
    await createTenant('Clínica Vida & Saúde', 'clinica', 'Loja');
    await createTenant('Antiga', 'antiga', 'CRM');
    await page.goto(`${app.stack.url}/tenants`);
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

  /** Opens the dialog of a tenant's domain. @returns a function that locates a host's state, and the DNS table */
  async function openDomainDialog(domain: string) {
    await page.goto(`${app.stack.url}/tenants`);
    await button('Alterar domínio de Clínica Vida & Saúde').click();
    const domainState = page.getByRole('region', { name: 'Situação do domínio' });
    return {
      item: (name: string) => domainState.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) }),
      recordTable: domainState.getByRole('table', { name: `O que criar no provedor de DNS de ${domain}` }),
    };
  }
  /** Creates a tenant with a domain. The `www` of the domain redirects to the domain. */
  async function createTenantWithDomain(domain: string): Promise<void> {
    const { tenantId } = await createTenant('Clínica Vida & Saúde', 'clinica', 'Loja');
    await app.stack.request('POST', `/tenants/${tenantId}/domain`, { domain, www: 'to-apex' });
  }

  test('a pasted URL becomes the domain of a tenant, whose row shows that its DNS is missing', async () => {
    const domain = createUnusedDomain('vida');
    await createTenant('Clínica Vida & Saúde', 'clinica', 'Loja');
    await page.goto(`${app.stack.url}/tenants`);
    await button('Adicionar domínio de Clínica Vida & Saúde').click();
    await page.evaluate((url) => navigator.clipboard.writeText(url), `https://www.${domain}/loja`);
    await field('Domínio').press('ControlOrMeta+v');
    expect(await field('Domínio').inputValue()).toBe(domain);
    await page.getByRole('radio', { name: 'Só sem www' }).check();
    await button('Salvar e Configurar').click();
    await expectNotice(page, 'Domínio configurado com sucesso! A propagação do SSL pode levar alguns minutos.');
    await waitForClosedDialog();
    await row('Clínica').getByText('Aguardando DNS', { exact: true }).waitFor();
  });

  test('the dialog of a domain lists the DNS records to create, and copies their values', async () => {
    const domain = createUnusedDomain('registros');
    await createTenantWithDomain(domain);
    const { item, recordTable } = await openDomainDialog(domain);
    await button('Verificar agora').click();
    await item(domain).getByText('O DNS não tem registros deste nome. Crie os que estão abaixo.').waitFor();
    const cells = await recordTable.getByRole('row').nth(2).getByRole('cell').allTextContents();
    expect(cells.map((cell) => cell.trim())).toEqual(['A', `www.${domain}`, SERVER_IP]);
    await recordTable
      .getByRole('button', { name: `Copiar o valor ${SERVER_IP}` })
      .first()
      .click();
    await expectCopied(page, SERVER_IP);
  });

  test('a domain dialog shows DNS and certificate of a domain and its www; the row shows the worst state', async () => {
    const domain = createUnusedDomain('situacao');
    await createTenantWithDomain(domain);
    const { item } = await openDomainDialog(domain);
    records[`A ${domain}`] = [SERVER_IP];
    records[`A www.${domain}`] = ['198.51.100.7'];
    await button('Verificar agora').click();
    await item(domain).getByText('Emitindo', { exact: true }).waitFor();
    await item(`www.${domain}`)
      .getByText('O DNS aponta para outro lugar. Troque os registros pelos que estão abaixo.')
      .waitFor();
    await item(`www.${domain}`).getByText('Encontrado: A 198.51.100.7', { exact: true }).waitFor();

    records[`A www.${domain}`] = [SERVER_IP];
    certificates.set(domain, await authority.issue([domain]));
    certificates.set(`www.${domain}`, await authority.issue([`www.${domain}`], 5.5)); // Days.
    await button('Verificar agora').click();
    await item(domain).getByText('Ativo', { exact: true }).waitFor();
    await item(domain)
      .getByText(/^Certificado de Autoridade de Teste, até/)
      .waitFor();
    await item(`www.${domain}`).getByText('Expira em 5 dias', { exact: true }).waitFor();
    await button('Cancelar').click();
    await waitForClosedDialog();
    await row('Clínica').getByText('Expira em 5 dias', { exact: true }).waitFor();
  });

  test('a domain that another tenant had is claimed with a TXT record, whose value can be copied', async () => {
    const domain = createUnusedDomain('passado');
    const { tenantId, projectId } = await createTenant('Antiga', 'antiga', 'CRM');
    await app.stack.request('POST', `/tenants/${tenantId}/domain`, { domain });
    await app.stack.request('DELETE', `/tenants/${tenantId}/domain`);
    const otherTenant = await app.stack.create('/tenants', { name: 'Nova', subdomain: 'nova', project: projectId });
    await page.goto(`${app.stack.url}/tenants?dominio=${otherTenant._id}`);
    await field('Domínio').fill(domain);
    await button('Salvar e Configurar').click();
    const proofRecord = page.getByRole('region', { name: 'Registro que comprova o domínio' });
    await proofRecord.getByText(`_studio-proof.${domain}`, { exact: true }).waitFor();
    const nextCopiedText = await watchClipboard(page);
    await proofRecord.getByRole('button', { name: /^Copiar o valor/ }).click();
    records[`TXT _studio-proof.${domain}`] = [await nextCopiedText()];
    await button('Salvar e Configurar').click();
    await expectNotice(page, /^Domínio configurado com sucesso!/);
  });
});

test('the overview lists problems with links to them, and stays open after a reload', async () => {
  const domain = createUnusedDomain('vida');
  const { tenantId, projectId } = await createTenant('Vida', 'vida', 'Loja');
  for (const host of [domain, `www.${domain}`]) records[`A ${host}`] = [SERVER_IP];
  certificates.set(domain, await authority.issue([domain]));
  certificates.set(`www.${domain}`, await authority.issue([`www.${domain}`], 5.5)); // Days.
  await app.stack.request('POST', `/tenants/${tenantId}/domain`, { domain });
  const waitingTenant = await app.stack.create('/tenants', { name: 'Nova', subdomain: 'nova', project: projectId });
  await app.stack.request('POST', `/tenants/${waitingTenant._id}/domain`, { domain: createUnusedDomain('nova') });
  await createShop({ subdomain: 'caido', port: 9 });
  await app.stack.request('POST', '/subdomains/caido/check');
  await page.goto(`${app.stack.url}/admin`);
  const summary = page.getByText(/^1\ssubdomínio fora do ar · .*1\sdomínio à espera · 1\scertificado expirando/);
  await summary.waitFor();
  /** Counts the phrases, such as "1 subdomínio", that a line break splits. */
  const countSplitPhrases = () =>
    summary.evaluate(({ firstChild }) => {
      const phrases = [...(firstChild?.textContent ?? '').matchAll(/\d+\s\S+/g)];
      return phrases.filter(([text], index) => {
        const range = new Range();
        const start = phrases[index]?.index ?? 0;
        if (firstChild) range.setStart(firstChild, start);
        if (firstChild) range.setEnd(firstChild, start + text.length);
        return range.getClientRects().length !== 1;
      }).length;
    });
  for (let width = 320; width < 440; width += 10) {
    await page.setViewportSize({ width, height: 844 });
    expect([width, await countSplitPhrases()]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await summary.click();
  await page.getByRole('link', { name: 'caido', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: `www.${domain}`, exact: true }).click();
  await page.getByRole('dialog', { name: 'Domínio Personalizado' }).waitFor();
  expect(await field('Domínio').inputValue()).toBe(domain);
});

test('lists are refetched when the network is back', async () => {
  await createShop({ subdomain: 'caido' });
  const { projectId } = await createTenant('Antiga', 'antiga', 'CRM');
  await page.goto(`${app.stack.url}/admin`);
  await page.getByRole('row', { name: /caido/ }).waitFor();
  await app.stack.request('PUT', '/subdomains/caido', { description: 'Outra pessoa mudou isto' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByText('Outra pessoa mudou isto', { exact: true }).waitFor();
  await page.goto(`${app.stack.url}/tenants`);
  await page.getByRole('row', { name: /Antiga/ }).waitFor();
  await app.stack.create('/tenants', { name: 'De outra pessoa', subdomain: 'outra', project: projectId });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('row', { name: /De outra pessoa/ }).waitFor();
});

test('a button of the top bar opens the palette, also on a phone', async () => {
  await createTenant('Antiga', 'antiga', 'CRM');
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('button', { name: 'Ir para qualquer tela, tenant ou projeto' }).click();
    await page.getByRole('combobox', { name: 'Buscar telas, ações, tenants e projetos' }).fill('Antiga');
    await page.getByRole('option', { name: /Antiga/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});
