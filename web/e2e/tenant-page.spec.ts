import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { expectNotice, waitForFocus } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createUnusedDomain } from './support/unused-domain';

let page: Page;
const { button, field } = controls(() => page);
/** Ids by name. */
const ids: Record<string, string> = {};
const app = startConsole({
  environment: { SERVER_IP: '203.0.113.1' },
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Each test begins with two projects, which have two tenants each. */
beforeEach(async () => {
  const { stack } = app;
  for (const list of ['/tenants', '/projects']) await stack.removeAll(list);
  const create = async (list: string, body: { name: string; [field: string]: unknown }) => {
    ids[body.name] = String((await stack.create(list, body))._id);
  };
  const staticPath = createFolder('sites/cardapio', 'do projeto');
  await create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4321 });
  await create('/projects', { name: 'Cardápio', type: 'static', staticPath });
  const createTenant = (name: string, subdomain: string, project: string) =>
    create('/tenants', { name, subdomain, project: ids[project], responsibleContact: '11 99999-0000' });
  await createTenant('Padaria', 'padaria', 'CRM');
  await createTenant('Floricultura', 'flores', 'CRM');
  await createTenant('Bistrô', 'bistro', 'Cardápio');
  await createTenant('Café', 'cafe', 'Cardápio');
});

const openPath = (path: string) => page.goto(app.stack.url + path);
const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
/** Reads the body of the current response of a site. */
const readSiteBody = (label: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = app.stack;
    get({ host: '127.0.0.1', port, headers: { Host: `${label}.localhost:${port}` }, agent: false }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });
/** Waits until a site responds with a text, because the edge may apply a save only after a second. */
const waitForBody = (label: string, body: string) =>
  waitFor(body, async () => (await readSiteBody(label)).includes(body));
/** Creates a folder with a page. @returns its path */
function createFolder(name: string, html: string): string {
  const folder = join(app.stack.folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html);
  return folder;
}

test('a row links to the page of its tenant, which has its own URL', async () => {
  await openPath('/tenants');
  await page.getByRole('link', { name: 'Padaria', exact: true }).click();
  await page.waitForURL(`**/tenants/${ids.Padaria}`);
  await waitForHeading('Padaria');
  await page.reload();
  await waitForHeading('Padaria');
  await page.waitForFunction(() => document.title.startsWith('Padaria · '));
  await page.getByText('Porta 4321 do projeto').waitFor();
  await page.getByText('crm_padaria', { exact: true }).waitFor();
  await page.getByText(/X-Tenant-Database/).waitFor();
  await page.getByText('Ainda não medida').waitFor();
  await button('Verificar Padaria agora').click();
  await page.getByText(/Ninguém atende na porta 4321\. · verificado agora/).waitFor();
  await page.getByRole('link', { name: 'CRM', exact: true }).click();
  await waitForHeading('CRM');
  await page.goBack();
  await waitForHeading('Padaria');
  await page.getByRole('link', { name: 'Tenants', exact: true }).last().click();
  await page.waitForURL('**/tenants');
});

test('the tabs of a tenant are in the URL, and Back returns to the previous tab', async () => {
  await openPath(`/tenants/${ids.Padaria}?aba=requisicoes`);
  await page.getByText('Nenhuma requisição ainda.').waitFor();
  await page.getByRole('tab', { name: 'Versões' }).click();
  await page.getByText(/Só sites do tipo Estático recebem versões/).waitFor();
  await page.getByRole('tab', { name: 'Regras' }).click();
  await page
    .getByRole('combobox', { name: 'Manutenção' })
    .or(page.getByRole('heading', { name: 'Manutenção' }))
    .first()
    .waitFor();
  await page.goBack();
  await page.waitForURL('**?aba=versoes');
  await page.goBack();
  await page.waitForURL('**?aba=requisicoes');
  await page.getByText('Nenhuma requisição ainda.').waitFor();
});

test('a domain is added on its tab, made primary, and shown on the overview tab', async () => {
  const domain = createUnusedDomain('padaria');
  await page.setViewportSize({ width: 360, height: 800 });
  await openPath(`/tenants/${ids.Padaria}`);
  await page.getByRole('link', { name: 'Adicionar domínio' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await waitForFocus(page, 'Adicionar domínio');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'Domínio', exact: true }).fill(domain);
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  await expectNotice(page, 'Domínio adicionado com sucesso!');
  await page.getByRole('table', { name: `O que criar no provedor de DNS de ${domain}` }).waitFor();
  await button(`Tornar principal ${domain}`).click();
  await page.getByText('Principal', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Visão geral' }).click();
  await page.getByRole('link', { name: domain, exact: true }).waitFor();
});

test('the page of a tenant edits the tenant, and a removal leads to the list', async () => {
  await openPath(`/tenants/${ids.Floricultura}`);
  await button('Editar').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Nome do Responsável' }).fill('Rosa');
  await button('Salvar').click();
  await expectNotice(page, 'Tenant salvo com sucesso!');
  await page.getByText('Rosa').first().waitFor();
  await button('Remover').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Tenant removido com sucesso!');
  await page.waitForURL('**/tenants');
  await page.getByRole('link', { name: 'Padaria', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Floricultura', exact: true }).waitFor({ state: 'detached' });
});

test('an unknown tenant or project shows "not found" and a link to the list', async () => {
  for (const [path, title, action] of [
    ['/tenants/nada', 'Tenant não encontrado', 'Ver todos os tenants'],
    ['/projects/nada', 'Projeto não encontrado', 'Ver todos os projetos'],
  ] as const) {
    await openPath(path);
    await waitForHeading(title);
    await page.getByRole('link', { name: action }).click();
    await page.waitForURL(`**${path.replace('/nada', '')}`);
  }
});

test('a version of a tenant replaces the files of the project for that tenant only, and tenant and project can return to earlier files', async () => {
  const publish = async (path: string, folder: string) => {
    await openPath(path);
    await page.getByText('Nenhuma versão ainda.').waitFor();
    await page.locator('input[type="file"]').first().setInputFiles(folder);
    await expectNotice(page, 'Versão 1 publicada!');
  };
  await waitForBody('bistro', 'do projeto');
  await publish(`/tenants/${ids.Bistrô}?aba=versoes`, createFolder('bistro', 'do bistrô'));
  await waitForBody('cafe', 'do projeto');
  await waitForBody('bistro', 'do bistrô');
  await publish(`/projects/${ids.Cardápio}?aba=versoes`, createFolder('cardapio', 'versão do projeto'));
  await waitForBody('cafe', 'versão do projeto');
  await waitForBody('bistro', 'do bistrô');

  await button(/^Voltar à pasta/).click();
  await expectNotice(page, 'O site voltou a servir a pasta.');
  await button('Ativar Versão 1').waitFor();
  await waitForBody('cafe', 'do projeto');
  await page.getByRole('tab', { name: 'Visão geral' }).click();
  await page.getByText(/sites\/cardapio$/).waitFor();

  await openPath(`/tenants/${ids.Bistrô}?aba=versoes`);
  await button('Voltar aos arquivos do projeto Cardápio').click();
  await expectNotice(page, 'O site voltou a servir os arquivos do projeto.');
  await page.getByText(/vale só para este tenant/).waitFor();
  await waitForBody('bistro', 'do projeto');
});

test('a change of the tab asks before typed rules or a typed note is lost, but opening a dialog does not', async () => {
  const tab = (name: string) => page.getByRole('tab', { name });
  const question = page.getByRole('alertdialog', { name: 'Descartar alterações?' });
  const maintenance = page.getByRole('region', { name: 'Manutenção', exact: true }).getByRole('checkbox');
  const note = page.getByRole('textbox', { name: /^O que mudou/ });
  await openPath(`/projects/${ids.Cardápio}`);
  await tab('Regras').click();
  await maintenance.check();
  await tab('Versões').click();
  await question.waitFor();
  await button('Continuar editando').click();
  await question.waitFor({ state: 'detached' });
  await page.goBack();
  await question.waitFor();
  await button('Continuar editando').click();
  await question.waitFor({ state: 'detached' });
  await button('Editar').click();
  await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  await button('Cancelar').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await maintenance.isChecked()).toBe(true);
  await tab('Versões').click();
  await button('Descartar').click();
  await note.fill('Preços novos');
  await tab('Regras').click();
  await question.waitFor();
  await button('Descartar').click();
  await maintenance.waitFor();
  expect(await maintenance.isChecked()).toBe(false);
});

test('rules of a project apply to its tenants, and a tenant can switch a rule off', async () => {
  const maintenance = page.getByRole('region', { name: 'Manutenção', exact: true });
  await openPath(`/projects/${ids.Cardápio}?aba=regras`);
  await maintenance.getByRole('checkbox').check();
  await maintenance.getByRole('textbox', { name: /^Texto/ }).fill('Voltamos às nove.');
  await button('Salvar regras').click();
  await expectNotice(page, 'Regras salvas com sucesso!');
  await waitForBody('cafe', 'Voltamos às nove.');
  await openPath(`/tenants/${ids.Café}?aba=regras`);
  await maintenance.getByRole('combobox').selectOption('Desligada');
  await button('Salvar regras').click();
  await expectNotice(page, 'Regras salvas com sucesso!');
  await waitForBody('cafe', 'do projeto');
});

test('a rule that the server refuses is marked at its field', async () => {
  const maintenance = page.getByRole('region', { name: 'Manutenção', exact: true });
  await openPath(`/tenants/${ids.Bistrô}?aba=regras`);
  await maintenance.getByRole('combobox').selectOption('Ligada');
  await maintenance.getByRole('textbox', { name: /^Texto/ }).fill('Voltamos às nove.');
  const addresses = maintenance.getByRole('textbox', { name: /^Endereços/ });
  await addresses.fill('10.0.0.0/33');
  await button('Salvar regras').click();
  await maintenance.getByText('Informe endereços IP ou blocos CIDR.').waitFor();
  expect(await addresses.getAttribute('aria-invalid')).toBe('true');
});

test('the form of a static project lists and creates folders, and sets the fallback for unknown paths', async () => {
  await openPath('/projects?novo=1');
  await field('Nome do Projeto').fill('Vitrine');
  await page.getByRole('radio', { name: 'Estático' }).check();
  const allowedFolder = join(app.stack.folder, 'sites');
  await button(allowedFolder).click();
  const path = page.getByRole('textbox', { name: 'Caminho dos Arquivos Estáticos' });
  expect(await path.inputValue()).toBe(`${allowedFolder}/`);
  await path.fill(`${allowedFolder}/vitrine`);
  await button('Criar esta pasta').click();
  await page.getByText('A pasta existe.').waitFor();
  expect(existsSync(join(allowedFolder, 'vitrine'))).toBe(true);
  const fallback = page.getByRole('checkbox', { name: /^Caminho desconhecido mostra index\.html/ });
  expect(await fallback.isChecked()).toBe(true);
  await fallback.uncheck();
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  const projects = (await app.stack.request('GET', '/projects')) as { name: string }[];
  expect(projects.find(({ name }) => name === 'Vitrine')).toMatchObject({
    staticPath: `${allowedFolder}/vitrine`,
    spaFallback: false,
  });
});

test('a port that is no number is refused at its field, although the port is optional', async () => {
  await app.stack.create('/projects', {
    name: 'Catálogo',
    type: 'static',
    staticPath: join(app.stack.folder, 'sites'),
  });
  await openPath('/projects');
  await button('Editar Catálogo').click();
  const port = page.getByRole('spinbutton');
  await port.click();
  // Chromium drops most letters of a number field, but an exponent without digits stays and is no number.
  await page.keyboard.type('80e');
  await button('Salvar').click();
  await page.getByText('Digite um número.').waitFor();
  expect(await port.getAttribute('aria-invalid')).toBe('true');
  await port.fill('8080');
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
});

test('the page of a project edits the project, and a removal leads to the list', async () => {
  const { _id } = await app.stack.create('/projects', { name: 'Agenda', type: 'proxy', apiPort: 4322 });
  await openPath('/projects');
  await page.getByRole('link', { name: 'Agenda', exact: true }).click();
  await page.waitForURL(`**/projects/${_id}`);
  await button('Editar').click();
  await field('Nome do Projeto').fill('Agenda Nova');
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await waitForHeading('Agenda Nova');
  await button('Remover').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Projeto removido com sucesso!');
  await page.waitForURL('**/projects');
  await page.getByRole('link', { name: 'CRM', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Agenda Nova', exact: true }).waitFor({ state: 'detached' });
});
