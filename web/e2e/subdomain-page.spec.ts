import { get } from 'node:http';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja virtual', type: 'proxy', port: 1 });
    await stack.create('/subdomains', { subdomain: 'blog', description: 'Blog', type: 'proxy', port: 2 });
    await stack.create('/subdomains', { subdomain: 'quebrado', description: 'Quebrado', type: 'proxy', port: 3 });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

/** Requests the site `quebrado` as a visitor. @returns the status */
const requestStatus = () =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { Host: `quebrado.localhost:${app.stack.port}` };
    get({ port: app.stack.port, path: '/pedido', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
const openPath = (path: string) => page.goto(app.stack.url + path);

test('a row links to the page of its subdomain, which has its own URL', async () => {
  await openPath('/admin');
  await page.getByRole('link', { name: /^loja\./ }).click();
  await page.waitForURL('**/admin/subdomains/loja');
  await page.getByRole('heading', { level: 1, name: /^loja\./ }).waitFor();
  await page.reload();
  await page.getByText('Porta 1', { exact: true }).waitFor();
  await page.getByText('Ainda não medida').waitFor();
  await button('Verificar loja agora').click();
  await page.getByText(/Ninguém atende na porta 1\. · verificado agora/).waitFor();
  const factsBox = await page.locator('dl').first().boundingBox();
  const buttonBox = await button('Testar conexão').boundingBox();
  expect((buttonBox?.y ?? 0) - (factsBox?.y ?? 0) - (factsBox?.height ?? 0)).toBeGreaterThanOrEqual(12);
  await button('Testar conexão').click();
  await page.getByText(/^Conexão: Ninguém atende na porta 1\./).waitFor();
  await page.getByRole('link', { name: 'Subdomínios', exact: true }).last().click();
  await page.waitForURL('**/admin');
});

test('the tab of the requests is in the URL', async () => {
  await openPath('/admin/subdomains/loja');
  await page.getByRole('tab', { name: 'Requisições' }).click();
  await page.waitForURL('**?aba=requisicoes');
  await page.getByText('Nenhuma requisição ainda.').waitFor();
  await page.reload();
  expect(await page.getByRole('tab', { name: 'Requisições' }).getAttribute('aria-selected')).toBe('true');
});

test('the page of a subdomain edits the subdomain, and a removal leads to the list', async () => {
  await openPath('/admin/subdomains/blog');
  await button('Editar').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Descrição' }).fill('O blog da casa');
  await button('Salvar').click();
  await expectNotice(page, 'Subdomínio salvo com sucesso!');
  await page.getByText('O blog da casa').first().waitFor();
  await button('Remover').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Subdomínio removido com sucesso!');
  await page.waitForURL('**/admin');
  expect(await page.getByRole('link', { name: /^blog\./ }).count()).toBe(0);
});

test('a subdomain page opens the removal dialog for `remover=1`, but not for the id of a row in a tab', async () => {
  for (const id of ['2', 'loja', '01a209d6-7f6a-77e8-a1e6-4d4131e08c4f']) {
    await openPath(`/admin/subdomains/loja?aba=versoes&remover=${id}`);
    await page.getByText(/Só sites do tipo Estático recebem versões/).waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  }
  await openPath('/admin/subdomains/loja?remover=1');
  await page
    .getByRole('alertdialog')
    .getByText(/Deseja realmente remover/)
    .waitFor();
});

test('an unknown subdomain shows "not found" and a link to the list', async () => {
  await openPath('/admin/subdomains/nada');
  await page.getByRole('heading', { name: 'Subdomínio não encontrado' }).waitFor();
  await page.getByRole('link', { name: 'Ver todos os subdomínios' }).click();
  await page.waitForURL('**/admin');
});

test('errors of the last hour link to the failed requests of their host', async () => {
  await waitFor('a logged error', async () => {
    expect(await requestStatus()).toBe(502);
    const { faults } = (await app.stack.request('GET', '/overview')) as { faults: number };
    return faults > 0;
  });
  await openPath('/admin');
  await page.getByText('Visão geral', { exact: true }).click();
  await page.locator('details').getByRole('link', { name: 'quebrado', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: /^Últimas requisições de quebrado\./ });
  await drawer.getByText('/pedido').first().waitFor();
  expect(await drawer.getByLabel('Mostrar', { exact: true }).inputValue()).toBe('5xx');
});
