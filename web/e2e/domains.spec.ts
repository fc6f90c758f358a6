import type { Locator, Page } from 'playwright-core';
import { expectNotice, watchClipboard } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

interface Tenant {
  _id: string;
  name: string;
  customDomain: string | null;
}

let page: Page;
const { button } = controls(() => page);
const app = startConsole({
  environment: { SERVER_IP: '203.0.113.1' },
  setUp: async (stack) => {
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 1 });
    const { _id: project } = await stack.create('/projects', {
      name: 'CRM',
      dbPrefix: 'crm',
      type: 'proxy',
      apiPort: 1,
    });
    await stack.create('/tenants', { name: 'Padaria', subdomain: 'padaria', project });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Each test begins with the same two sites, which have no domain. */
beforeEach(async () => {
  const { stack } = app;
  for (const { host } of (await stack.request('GET', '/subdomains/loja/domains')) as { host: string }[])
    await stack.request('DELETE', `/subdomains/loja/domains/${host}`);
  for (const { _id, name, customDomain } of (await stack.request('GET', '/tenants')) as Tenant[])
    if (name !== 'Padaria') await stack.request('DELETE', `/tenants/${_id}`);
    else if (customDomain) await stack.request('DELETE', `/tenants/${_id}/domain`);
});

/** The visible text of each row below the header, without spaces. */
const readRows = async (table: Locator) =>
  (await table.getByRole('row').allInnerTexts()).slice(1).map((text) => text.replace(/\s/g, ''));

test('on a phone a domain is added, shows its DNS records with labels, is made primary, and is removed', async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${app.stack.url}/admin/subdomains/loja?aba=dominios`);
  await page.getByText('Nenhum domínio ainda.').waitFor();
  await button('Adicionar domínio').click();
  const dialog = page.getByRole('dialog');
  const domain = dialog.getByRole('textbox', { name: 'Domínio', exact: true });
  expect(await domain.getAttribute('required')).not.toBeNull();
  // People paste addresses from the address bar of a browser.
  await domain.fill('https://www.padaria.com.br/');
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  await expectNotice(page, 'Domínio adicionado com sucesso!');
  const table = page.getByRole('table', { name: 'O que criar no provedor de DNS de padaria.com.br' });
  await table.getByRole('row').nth(2).waitFor();
  expect(await readRows(table)).toEqual(['Apadaria.com.br203.0.113.1', 'Awww.padaria.com.br203.0.113.1']);
  const readLabels = () =>
    table.getByRole('cell').evaluateAll((cells) =>
      cells.slice(0, 3).map((cell) => {
        const { content, display } = getComputedStyle(cell, '::before');
        return [content, display !== 'none'];
      }),
    );
  expect(await readLabels()).toEqual([
    ['"Tipo"', true],
    ['"Nome"', true],
    ['"Valor"', true],
  ]);
  await button('Copiar instruções para o cliente').waitFor();
  const hostItem = page.getByRole('listitem').filter({ hasText: /^www\.padaria\.com\.br/ });
  await hostItem.getByText('DNS não conferido', { exact: true }).waitFor();
  await button('Verificar agora').click();
  await hostItem.getByText('O DNS não respondeu. A verificação se repete sozinha.').waitFor();
  await page
    .getByText(/^verificado (agora|há)/)
    .first()
    .waitFor();
  await button('Tornar principal padaria.com.br').click();
  await page.getByText('Principal', { exact: true }).waitFor();
  await button('Remover padaria.com.br').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Domínio removido com sucesso!');
  await page.getByText('Nenhum domínio ainda.').waitFor();
});

test('a domain with accents is Unicode on screen, Punycode in links and DNS records, and found by either', async () => {
  const [tenant] = (await app.stack.request('GET', '/tenants')) as { _id: string }[];
  await app.stack.request('POST', `/tenants/${tenant?._id}/domain`, { domain: 'PadariaDoZé.com.br' });
  await page.goto(`${app.stack.url}/tenants`);
  const link = page.getByRole('link', { name: 'padariadozé.com.br' });
  expect(await link.getAttribute('href')).toContain('//xn--padariadoz-k7a.com.br');
  for (const text of ['PadariaDoZé', 'xn--padariadoz']) {
    await page.getByRole('searchbox').fill('outro');
    await link.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill(text);
    await link.waitFor();
  }
  await page.goto(`${app.stack.url}/tenants/${tenant?._id}`);
  await link.waitFor();
  await page.goto(`${app.stack.url}/tenants/${tenant?._id}?aba=dominios`);
  await page.getByRole('heading', { name: 'padariadozé.com.br', exact: true }).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^www\.padariadozé\.com\.br/ })
    .waitFor();
  expect(await readRows(page.getByRole('table'))).toEqual([
    'Axn--padariadoz-k7a.com.brpadariadozé.com.br203.0.113.1',
    'Awww.xn--padariadoz-k7a.com.brwww.padariadozé.com.br203.0.113.1',
  ]);
  const nextCopiedText = await watchClipboard(page);
  await button('Copiar o nome www.xn--padariadoz-k7a.com.br').click();
  expect(await nextCopiedText()).toBe('www.xn--padariadoz-k7a.com.br');
  await button('Remover padariadozé.com.br').click();
  await page.getByRole('alertdialog').getByText('o domínio padariadozé.com.br?').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Domínio removido com sucesso!');
  await page.goto(`${app.stack.url}/settings?aba=atividade`);
  await page.getByRole('row', { name: /removeu Domínio padariadozé\.com\.br/ }).waitFor();
});

test('the list and the page of a tenant without a primary domain link to the domains of the tenant', async () => {
  const { stack } = app;
  const { _id: project } = await stack.create('/projects', { name: 'Loja', type: 'proxy', apiPort: 1 });
  const { _id } = await stack.create('/tenants', { name: 'Bar do Zé', subdomain: 'bar', project });
  await page.goto(`${stack.url}/tenants`);
  await button('Adicionar domínio de Bar do Zé').waitFor();
  await stack.create(`/tenants/${_id}/domains`, { host: 'bardoze.com.br', role: 'alias' });
  await page.reload();
  const row = page.getByRole('row', { name: /Bar do Zé/ });
  await row.getByText(/^(Aguardando DNS|DNS não conferido)$/).waitFor();
  await page.getByRole('link', { name: 'Ver domínios de Bar do Zé' }).click();
  await page.getByText('bardoze.com.br', { exact: true }).first().waitFor();
  await page.goto(`${stack.url}/tenants/${_id}`);
  await page.getByRole('link', { name: 'Ver domínios' }).click();
  await page.getByText('bardoze.com.br', { exact: true }).first().waitFor();
});

test('of a URL that is pasted as the target of a redirect, only the host is saved', async () => {
  await page.goto(`${app.stack.url}/admin/subdomains/loja?aba=dominios`);
  await button('Adicionar domínio').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Domínio', exact: true }).fill('antigo.com.br');
  await dialog.getByRole('combobox', { name: 'Uso' }).selectOption({ label: 'Redireciona' });
  await dialog.getByRole('textbox', { name: 'Redirecionar para' }).fill('https://www.novo.com.br/inicio');
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  await expectNotice(page, 'Domínio adicionado com sucesso!');
  expect(await app.stack.request('GET', '/subdomains/loja/domains')).toEqual([
    expect.objectContaining({ host: 'antigo.com.br', to: 'www.novo.com.br' }),
  ]);
});

test('Enter in the field of a subdomain converts a pasted URL to its label, and saves the form', async () => {
  await page.goto(`${app.stack.url}/tenants?novo=1`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Projeto' }).selectOption({ label: 'CRM' });
  await dialog.getByRole('textbox', { name: 'Nome do Tenant' }).fill('Confeitaria');
  const subdomain = dialog.getByRole('textbox', { name: 'Subdomínio' });
  await subdomain.fill(`http://doces.localhost:${app.stack.port}/`);
  await subdomain.press('Enter');
  await expectNotice(page, 'Tenant salvo com sucesso!');
  await page.getByRole('link', { name: /^doces\.localhost/ }).waitFor();
});

test("the save of a tenant's domain without DNS leads to the DNS records that the customer must create", async () => {
  await page.goto(`${app.stack.url}/tenants`);
  await button('Adicionar domínio de Padaria').click();
  const dialog = page.getByRole('dialog', { name: 'Domínio Personalizado de Padaria' });
  const domain = dialog.getByRole('textbox', { name: 'Domínio' });
  expect(await domain.getAttribute('required')).not.toBeNull();
  await domain.fill('flores.com.br');
  await dialog.getByRole('button', { name: 'Salvar e Configurar' }).click();
  await expectNotice(page, 'Falta apontar o DNS.');
  await button('Ver registros').click();
  const table = dialog.getByRole('table', { name: 'O que criar no provedor de DNS de flores.com.br' });
  await table.getByRole('row').nth(2).waitFor();
  expect(await readRows(table)).toEqual(['Aflores.com.br203.0.113.1', 'Awww.flores.com.br203.0.113.1']);
  const nextCopiedText = await watchClipboard(page);
  await button('Copiar instruções para o cliente').click();
  expect(await nextCopiedText()).toContain('Tipo: A\nNome: www.flores.com.br\nValor: 203.0.113.1');
  await button('Cancelar').click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: /Padaria/ })
    .getByRole('button', { name: 'DNS não conferido' })
    .click();
  await table.waitFor();
  const status = dialog.getByRole('region', { name: 'Situação do domínio' });
  await status.getByText('O DNS não respondeu. A verificação se repete sozinha.').first().waitFor();
});
