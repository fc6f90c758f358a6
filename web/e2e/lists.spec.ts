import type { Page } from 'playwright-core';
import { expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createRoute } from './support/gateway';
import { holdOperation } from './support/graph';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await createRoute(stack);
    // The oldest subdomain is not on the first page. The names of newer subdomains contain its name.
    await stack.create('/subdomains', { subdomain: 'a', description: 'O primeiro', type: 'proxy', port: 4000 });
    for (let index = 0; index < 105; index += 1)
      await stack.create('/subdomains', { subdomain: `a${index}`, description: 'x', type: 'proxy', port: 4000 });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Each test begins without messages, tenants and projects. */
beforeEach(async () => {
  for (const list of ['/contact', '/tenants', '/projects']) await app.stack.removeAll(list);
});

const openPath = (path: string) => page.goto(app.stack.url + path);

test('clearing a search shows no empty state while the rows load', async () => {
  await openPath('/admin?q=zzz');
  await page.getByText('Nada encontrado para “zzz”.').waitFor();
  const { requested, release } = await holdOperation(page, 'Subdomains');
  await button('Limpar busca').last().click();
  await requested;
  expect(await page.getByText('Nenhum subdomínio encontrado.').count()).toBe(0);
  release();
  await page.getByText('15 de 106 subdomínios').waitFor();
});

test('the URL of an edit dialog opens the dialog for a subdomain that is not on the first page', async () => {
  await openPath('/admin?editar=a');
  await page.getByRole('dialog', { name: 'Editar subdomínio' }).waitFor();
  expect(await field('Subdomínio').last().inputValue()).toBe('a');
});

test('a renamed project moves to its place in the order', async () => {
  for (const name of ['Abelha', 'Macaco'])
    await app.stack.create('/projects', { name, dbPrefix: '', type: 'proxy', apiPort: 4300 });
  await openPath('/projects');
  await button('Editar Abelha').click();
  await field('Nome do Projeto').fill('Zebra');
  await button('Salvar').click();
  await page.getByRole('row').last().getByText('Zebra').waitFor();
});

test('a new route preselects the service of the filter', async () => {
  await openPath('/gateway/management?tab=rotas');
  await page.getByRole('combobox', { name: 'Serviço' }).selectOption({ label: 'estoque' });
  await button('Nova rota').click();
  const service = page.getByRole('dialog').getByRole('combobox', { name: 'Serviço' });
  await service.waitFor();
  expect(await service.locator('option:checked').textContent()).toBe('estoque');
});

test('services show the date of their creation', async () => {
  await openPath('/gateway/management');
  await page
    .getByRole('row', { name: /estoque/ })
    .getByText(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d$/)
    .waitFor();
});

const sendMessage = (index: number) =>
  fetch(`${app.stack.coreUrl}/api/contact`, {
    method: 'POST',
    // The limit per sender is lower than the number of messages, so each message has its own IP address.
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${index}` },
    body: JSON.stringify({ name: `Pessoa ${index}`, email: 'p@example.com', message: 'Olá' }),
  });

test('the next page of messages is complete although a message arrived after the first page loaded', async () => {
  for (let index = 0; index < 32; index += 1) await sendMessage(index);
  await openPath('/settings?aba=mensagens');
  await page.getByText('15 de 32 mensagens').waitFor();
  await sendMessage(40);
  const loadMore = button('Carregar mais');
  await loadMore.click();
  await page.getByText('30 de 33 mensagens').waitFor();
  await loadMore.click();
  await page.getByText('Pessoa 0', { exact: true }).waitFor();
  expect(await loadMore.count()).toBe(0);
  await page.getByText('Sem aviso: Telegram e e-mail não configurados').first().waitFor();
});

test('after a message is marked or removed, all loaded pages stay in the list', async () => {
  for (let index = 0; index < 33; index += 1) await sendMessage(index);
  await openPath('/settings?aba=mensagens');
  await button('Carregar mais').click();
  await page.getByText('30 de 33 mensagens').waitFor();
  await page.getByText('33 não tratadas').waitFor();
  await page
    .getByRole('button', { name: /^Marcar como tratada/ })
    .last()
    .click();
  await page.getByText('32 não tratadas').waitFor();
  await page.getByText('30 de 33 mensagens').waitFor();
  await button('Carregar mais').click();
  await page.getByText('33 mensagens').waitFor();
  await page
    .getByRole('button', { name: /^Remover/ })
    .last()
    .click();
  await button('Remover').last().click();
  await page.getByText('32 mensagens').waitFor();
});

test('an empty domain is refused with a notification', async () => {
  const project = await app.stack.create('/projects', { name: 'Padarias', dbPrefix: '', type: 'proxy', apiPort: 4000 });
  await app.stack.create('/tenants', {
    name: 'Padaria',
    project: project._id,
    subdomain: 'padaria',
    dbName: 'padaria',
  });
  await openPath('/tenants');
  await button('Adicionar domínio de Padaria').click();
  await button('Salvar e Configurar').click();
  await expectNotice(page, 'O campo de domínio não pode estar vazio.');
});
