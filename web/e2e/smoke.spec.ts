import type { Browser } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { Stack } from '../../scripts/testing/stack';
import { expectNotice, launchBrowser, login, openPage } from './support/browser';

let stack: Stack;
let browser: Browser;
let upstream: RunningServer;

beforeAll(async () => {
  stack = await Stack.start();
  browser = await launchBrowser();
  upstream = await listen((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(
      '<!doctype html><html lang="pt-BR"><title>Bolos</title><link rel="icon" href="data:,"><h1>Bolos da Ana</h1>',
    );
  });
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await upstream?.stop();
});

test('a subdomain is created in an empty installation, served, and removed', async () => {
  const { page, pageErrors } = await openPage(browser, stack);
  await login(page, stack.url);
  await page.getByRole('heading', { name: 'Subdomínios Atuais' }).waitFor();
  await page.getByText('Nenhum subdomínio encontrado.').waitFor();

  const generateButton = page.getByRole('button', { name: 'Gerar com IA' });
  expect(await generateButton.isDisabled()).toBe(true);
  await page.getByLabel('O que este serviço faz?').fill(`Loja de bolos da Ana na porta ${upstream.port}`);
  await generateButton.click();
  await page.getByRole('heading', { name: 'Configuração' }).waitFor();
  const name = await page.getByRole('textbox', { name: 'Subdomínio' }).inputValue();
  expect(name).toBe('loja-bolos-ana');
  expect(await page.getByLabel('Porta', { exact: true }).inputValue()).toBe(String(upstream.port));
  await page.getByRole('button', { name: 'Criar subdomínio' }).click();
  await expectNotice(page, 'Subdomínio criado com sucesso!');
  await page.getByRole('heading', { name: 'Descreva seu Novo Serviço' }).waitFor();

  const host = new URL(stack.url).host;
  const link = page.getByRole('link', { name: `Abrir ${name}.${host}` });
  const site = await page.context().newPage();
  const url = (await link.getAttribute('href')) ?? '';
  const waitForStatus = (status: number) =>
    waitFor(`${status} from ${url}`, async () => (await site.goto(url))?.status() === status);
  await waitForStatus(200);
  expect(site.url()).toBe(`http://${name}.${host}/`);
  await site.getByRole('heading', { name: 'Bolos da Ana' }).waitFor();

  await page
    .getByRole('button', { name: `Remover ${name}` })
    .first()
    .click();
  const dialog = page.getByRole('alertdialog');
  await dialog.waitFor();
  expect((await dialog.boundingBox())?.width).toBe(400);
  await dialog.getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Subdomínio removido com sucesso!');
  await waitForStatus(404);
  await site.getByText('Nada por aqui').waitFor();
  // The browser logs the 404 of a page to its console.
  expect(pageErrors.filter((text) => !text.includes('404'))).toEqual([]);
});

test('without the core the console shows an error, sites are served, and the console recovers by itself', async () => {
  const { page } = await openPage(browser, stack, { token: await stack.logIn() });
  const body = { subdomain: 'firme', description: 'x', type: 'proxy', port: upstream.port };
  await stack.create('/subdomains', body);
  await page.clock.install();
  await page.goto(`${stack.url}/admin`);
  await page.getByRole('link', { name: /^firme\./ }).waitFor();
  await stack.kill('core');
  await page.reload();
  await page
    .getByRole('alert')
    .getByText(/Serviço indisponível/)
    .waitFor();
  const site = await page.context().newPage();
  expect((await site.goto(`http://firme.${new URL(stack.url).host}/`))?.status()).toBe(200);
  await stack.start('core');
  await page.clock.fastForward(5_000); // The screen repeats a failed load after 5 s.
  await page.getByRole('link', { name: /^firme\./ }).waitFor();
});
