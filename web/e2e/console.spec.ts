import type { Page } from 'playwright-core';
import { startDns } from '../../core-api/src/testing/dns';
import { expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createUnusedDomain } from './support/unused-domain';

let page: Page;
const { button, field } = controls(() => page);
/** A DNS server that knows no name, so that every domain lacks its DNS records. */
let dns: Awaited<ReturnType<typeof startDns>>;
const app = startConsole({
  environment: async () => {
    dns = await startDns({});
    return { DNS_SERVERS: dns.address };
  },
  failsOnPageErrors: true,
  onPage: (newPage) => {
    page = newPage;
  },
});
/** Each test begins with an empty installation. */
beforeEach(async () => {
  for (const list of ['/tenants', '/projects']) await app.stack.removeAll(list);
});
afterAll(() => dns?.stop());

const createProject = () =>
  app.stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
const openPath = (path: string) => page.goto(app.stack.url + path);
const readWidth = async (role: 'dialog' | 'alertdialog') => (await page.getByRole(role).boundingBox())?.width;

test('an empty installation shows four first steps, each with a link or a button', async () => {
  await openPath('/admin');
  const steps = page.getByRole('region', { name: 'Primeiros passos' });
  await steps.getByRole('link', { name: 'Cadastre um projeto' }).waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(4);
  await button('Criar o primeiro subdomínio').waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  await steps.getByRole('button', { name: 'Publique o primeiro subdomínio' }).click();
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.getByText(/^Sem IA configurada, a sugestão vem das palavras da própria descrição\./).waitFor();
  await button('Criar o primeiro subdomínio').waitFor({ state: 'hidden' });
});

test('a double click on the button of the empty list leaves the focus in the field of the wizard', async () => {
  await openPath('/admin');
  await button('Criar o primeiro subdomínio').dblclick();
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('without a project, the dialog of a new tenant leads to the form of a project', async () => {
  await openPath('/tenants?novo=1');
  await page.getByText('Cadastre um projeto antes de criar tenants.').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Cadastrar um projeto' }).click();
  await page.getByRole('dialog', { name: 'Criar Novo Projeto' }).waitFor();
});

test('the form of a project is 600 px wide and has the fields of the chosen type, and a removal asks first', async () => {
  await openPath('/projects');
  await page.getByText('Nenhum projeto encontrado.').waitFor();
  await button('Novo Projeto').click();
  await page.getByRole('dialog', { name: 'Criar Novo Projeto' }).waitFor();
  expect(await readWidth('dialog')).toBe(600);
  // The first click shows errors, which move the button away from the second click.
  await button('Salvar').dblclick();
  await page.getByText('Preencha este campo.').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
  await field('Nome do Projeto').fill('a'.repeat(101));
  await page.getByLabel('Porta do Serviço (Backend)').fill('4000');
  await button('Salvar').click();
  await page.getByText('O nome pode ter no máximo 100 caracteres.').waitFor();
  await field('Nome do Projeto').fill('CRM');
  await field('Prefixo do Banco de Dados').fill(' agenda__ ');
  await page.getByText('Os bancos dos tenants começam com ele: agenda_nome_do_tenant.').waitFor();
  await field('Prefixo do Banco de Dados').fill(' CRM Padaria ');
  await page.getByText('Os bancos dos tenants começam com ele: crm_nome_do_tenant.').waitFor();
  await field('Prefixo do Banco de Dados').fill('crm__');
  await page.getByRole('radio', { name: 'Estático' }).check();
  await field('Caminho dos Arquivos Estáticos').waitFor();
  await page.getByRole('radio', { name: 'Proxy' }).check();
  await page.getByLabel('Porta do Serviço (Backend)').fill('4000');
  await button('Salvar').click();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'CRM' }).getByText('Porta 4000', { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Novo Projeto');

  await button('Remover CRM').click();
  await page.getByText('Deseja realmente remover o projeto CRM?').waitFor();
  await button('Cancelar').click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
});

test('the form of a tenant derives the database name from the typed name, and a dialog sets the domain', async () => {
  await createProject();
  await openPath('/tenants');
  await page.getByText('Nenhum tenant encontrado.').waitFor();
  await button('Novo Tenant').click();
  await page.getByRole('dialog', { name: 'Criar Novo Tenant' }).waitFor();
  const prefix = page.getByRole('checkbox', { name: 'Usar prefixo do projeto no nome do banco de dados' });
  // The only project is chosen from the start.
  expect(await prefix.isDisabled()).toBe(false);
  const project = page.getByLabel('Projeto', { exact: true });
  await project.selectOption({ label: 'Selecione um projeto' });
  expect([await prefix.isDisabled(), await prefix.isChecked()]).toEqual([true, true]);
  await project.selectOption({ label: 'CRM' });
  await field('Nome do Tenant').fill('Padaria do Zé');
  await field('Subdomínio').fill('padaria');
  expect(await field('Nome do banco gerado').inputValue()).toBe('crm_padaria_do_zé');
  await page.getByText('PostgreSQL e MySQL pedem aspas').waitFor();
  await button('Usar crm_padaria_do_ze').dblclick();
  expect(await field('Nome do banco gerado').inputValue()).toBe('crm_padaria_do_ze');
  await button('Usar o nome gerado').click();
  await prefix.uncheck();
  expect(await field('Nome do banco gerado').inputValue()).toBe('padaria_do_zé');
  await button('Salvar').click();
  await expectNotice(page, 'Tenant salvo com sucesso!');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // A list may have thousands of rows, so each row must have few elements.
  expect(await page.locator('tbody tr *').count()).toBeLessThan(30);
  await button('Editar Padaria do Zé').click();
  await page.getByRole('dialog', { name: 'Editar Tenant' }).waitFor();
  expect(await field('Subdomínio').getAttribute('readonly')).not.toBeNull();
  await button('Cancelar').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await button(/Adicionar domínio de Padaria/).click();
  await page.getByRole('dialog', { name: 'Domínio Personalizado' }).waitFor();
  expect(await readWidth('dialog')).toBe(500);
  let callCount = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.postData()?.includes('setTenantDomain')) callCount += 1;
  });
  await button('Salvar e Configurar').click();
  await page.getByText('O campo de domínio não pode estar vazio.').first().waitFor();
  expect(callCount).toBe(0);
  await field('Domínio').fill(createUnusedDomain('padaria'));
  await button('Salvar e Configurar').click();
  await expectNotice(page, 'Domínio configurado com sucesso! A propagação do SSL pode levar alguns minutos.');
  await expectNotice(page, 'Falta SERVER_IP na instalação: não dá para conferir para onde o DNS aponta.');
});

test('without SERVER_IP, the text about a domain says that its DNS cannot be checked, and refers to no list of records', async () => {
  const project = await app.stack.create('/projects', { name: 'Sem IP', dbPrefix: '', type: 'proxy', apiPort: 4000 });
  const tenant = await app.stack.create('/tenants', { name: 'Sem IP', subdomain: 'sem-ip', project: project._id });
  await app.stack.request('POST', `/tenants/${tenant._id}/domain`, { domain: createUnusedDomain('sem-ip') });
  await openPath(`/tenants?dominio=${tenant._id}`);
  await page.getByText('Falta SERVER_IP na instalação: não dá para conferir para onde o DNS aponta.').first().waitFor();
  expect(await page.getByText('estão abaixo').count()).toBe(0);
});

test('the checkbox for the prefix of a project is not ticked if the project has no prefix', async () => {
  await app.stack.create('/projects', { name: 'Sem prefixo', dbPrefix: '', type: 'proxy', apiPort: 4000 });
  await openPath('/tenants?novo=1');
  await page.getByLabel('Projeto', { exact: true }).selectOption({ label: 'Sem prefixo' });
  const prefix = page.getByRole('checkbox', { name: 'Usar prefixo do projeto no nome do banco de dados' });
  expect([await prefix.isDisabled(), await prefix.isChecked()]).toEqual([true, false]);
});

test('a refused removal shows its reason in the dialog and removes nothing', async () => {
  const { _id } = await createProject();
  await app.stack.create('/tenants', { name: 'Padaria do Zé', subdomain: 'padaria', project: _id });
  await openPath('/projects');
  await button('Remover CRM').click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Remover' }).click();
  await dialog.getByRole('alert').getByText('O projeto é usado por 1 tenant e não pode ser removido.').waitFor();
  await button('Cancelar').click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'CRM', exact: true }).waitFor();
});

test('dialogs are in the URL: a reload opens them again; Back and Escape ask before typed text is lost', async () => {
  await createProject();
  await openPath('/projects');
  await button('Editar CRM').click();
  await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  await page.reload();
  await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  await field('Nome do Projeto').fill('CRM novo');
  await page.goBack();
  await page.getByRole('alertdialog', { name: 'Descartar alterações?' }).waitFor();
  await button('Continuar editando').click();
  expect(await field('Nome do Projeto').inputValue()).toBe('CRM novo');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Descartar alterações?' }).waitFor();
  await button('Descartar').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test('the settings are saved', async () => {
  await openPath('/settings');
  await page.getByLabel('Token do Bot do Telegram').fill('123456:ABC-def');
  await field('Chat ID do Telegram').fill('42');
  await button('Salvar Configurações').click();
  await expectNotice(page, 'Configurações salvas com sucesso!');
});

test('a change to another tab of the settings asks before typed settings are lost', async () => {
  await openPath('/settings');
  await page.getByLabel('Token do Bot do Telegram').fill('654321:not-saved');
  await page.getByRole('tab', { name: 'Tokens' }).click();
  await page.getByRole('alertdialog', { name: 'Descartar alterações?' }).waitFor();
  await button('Descartar').click();
  await page.waitForURL('**?aba=tokens');
});

test('a notification closes after 4 seconds, but under the pointer only by its button', async () => {
  await page.clock.install();
  await page.goto(`${app.stack.url}/settings`);
  const save = page.getByRole('button', { name: 'Salvar Configurações' });
  const notification = page.getByText('Configurações salvas com sucesso!');
  await save.waitFor();
  // From here on only the test advances the clock of the page.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await save.click();
  await notification.waitFor();
  await page.clock.runFor(3_900);
  expect(await notification.count()).toBe(1);
  await page.clock.runFor(200);
  await notification.waitFor({ state: 'detached' });

  await save.click();
  await notification.hover();
  await page.clock.runFor(60_000);
  expect(await notification.count()).toBe(1);
  await page.getByRole('button', { name: 'Fechar' }).click();
  await notification.waitFor({ state: 'detached' });
});

test('a double click on save creates one row, which is marked as new', async () => {
  await openPath('/projects?novo=1');
  await field('Nome do Projeto').fill('Duplo');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4100');
  await button('Salvar').dblclick();
  await expectNotice(page, 'Projeto salvo com sucesso!');
  await page.getByRole('cell', { name: 'Duplo', exact: true }).waitFor();
  expect(await page.getByRole('cell', { name: 'Duplo', exact: true }).count()).toBe(1);
  const markedRow = page.locator('tr[class*="recent"]');
  expect(await markedRow.allTextContents()).toEqual([expect.stringContaining('Duplo')]);
  await page.reload();
  await page.getByRole('cell', { name: 'Duplo', exact: true }).waitFor();
  expect(await markedRow.count()).toBe(0);
});
