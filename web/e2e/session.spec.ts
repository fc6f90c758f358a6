import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { ADMINISTRATOR } from '../../scripts/testing/stack';
import { login, submitLogin, waitForHydration, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  },
  failsOnPageErrors: true,
  onPage: (newPage) => {
    page = newPage;
  },
});

const openPath = (path: string) => page.goto(app.stack.url + path);

/** Signs in with a separate session, so that a logout does not end the session of other tests. */
async function signInWithOwnSession(): Promise<void> {
  await app.replacePage();
  await login(page, app.stack.url);
}

test('a logout leads to the login page, and the login page redirects a signed-in administrator', async () => {
  await signInWithOwnSession();
  await openPath('/login');
  await page.waitForURL('**/admin');
  await openPath('/contact');
  await button('Sair').click();
  await page.waitForURL('**/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('a login requests the rights of the account once', async () => {
  await app.replacePage();
  let accessCalls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.postDataJSON().operationName === 'Access') accessCalls += 1;
  });
  const requestsSettled = watchNetwork(page);
  await login(page, app.stack.url);
  await requestsSettled();
  expect(accessCalls).toBe(1);
});

test('an administrator can log in and use the console in a browser that refuses storage', async () => {
  await app.replacePage();
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  });
  await openPath('/contact');
  await waitForHydration(page);
  await button('Enviar Mensagem').click();
  await page.getByRole('alert').getByText('Por favor, preencha todos os campos').waitFor();
  await openPath('/admin');
  await page.waitForURL('**/login');
  await login(page, app.stack.url);
  await button('Alternar tema claro e escuro').click();
  await page.getByRole('link', { name: 'Projetos' }).first().click();
  await button('Editar CRM').click();
  await field('Nome do Projeto').fill('CRM 2');
  await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  // React Router's script for the scroll position uses the storage, so it throws in each document.
  await app.expectPageErrors(/Access is denied/);
});

test('an expired session is explained, and the next login returns to the same page and dialog', async () => {
  const { _id } = await app.stack.create('/projects', { name: 'Loja', dbPrefix: 'l', type: 'proxy', apiPort: 4300 });
  await signInWithOwnSession();
  await openPath('/projects');
  await button('Editar Loja').click();
  await field('Nome do Projeto').fill('Loja nova');
  await page.evaluate(() => localStorage.setItem('token', 'vencido'));
  await button('Salvar').click();
  await page.waitForURL('**/login');
  await page.getByText('Sua sessão terminou. O que você digitou está guardado.').waitFor();
  await app.expectPageErrors(/status of 401/);
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'username');
  await waitForHydration(page);
  // The case of the name does not matter: the draft belongs to the same account.
  await field('Usuário').fill(ADMINISTRATOR.username.toUpperCase());
  await page.getByLabel('Senha', { exact: true }).fill(ADMINISTRATOR.password);
  await button('Entrar').click();
  await page.waitForURL(`**/projects?editar=${_id}`);
  await page.getByRole('dialog').getByText('O que você tinha digitado está de volta.').waitFor();
  expect(await field('Nome do Projeto').inputValue()).toBe('Loja nova');
});

test('a typed password can be shown, and is hidden again', async () => {
  await app.replacePage();
  await openPath('/login');
  await waitForHydration(page);
  const password = page.getByLabel('Senha', { exact: true });
  await password.fill('uma senha');
  const revealButton = button('Mostrar o texto digitado');
  for (const [type, pressed] of [
    ['text', 'true'],
    ['password', 'false'],
  ]) {
    await revealButton.click();
    expect([await password.getAttribute('type'), await revealButton.getAttribute('aria-pressed')]).toEqual([
      type,
      pressed,
    ]);
  }
  expect(await password.inputValue()).toBe('uma senha');
});

test('a login after a logout begins at the first screen', async () => {
  await signInWithOwnSession();
  await openPath('/projects');
  await button('Sair').click();
  await page.waitForURL('**/login');
  await waitForHydration(page);
  expect(await page.getByText('Sua sessão terminou.').count()).toBe(0);
  await submitLogin(page);
  await page.waitForURL('**/admin');
});

test('a logout removes the drafts', async () => {
  await signInWithOwnSession();
  await field('O que este serviço faz?').fill('Segredo do cliente');
  await page.waitForFunction(
    () => sessionStorage.length > 0 && JSON.stringify({ ...sessionStorage }).includes('Segredo'),
  );
  await button('Sair').click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Segredo');
});

test('a restored draft is announced, and its unchanged fields show what somebody else saved', async () => {
  const { _id } = await app.stack.create('/projects', { name: 'Antigo', dbPrefix: 'a', type: 'proxy', apiPort: 4100 });
  await openPath('/projects');
  await button('Editar Antigo').click();
  await field('Nome do Projeto').fill('Digitado');
  await app.stack.request('PUT', `/projects/${_id}`, { name: 'Antigo', dbPrefix: 'b', type: 'proxy', apiPort: 4200 });
  page.once('dialog', (question) => void question.accept());
  await page.reload();
  await page.getByRole('dialog').getByText('O que você tinha digitado está de volta.').waitFor();
  expect(await field('Nome do Projeto').inputValue()).toBe('Digitado');
  expect(await page.getByLabel('Porta do Serviço (Backend)').inputValue()).toBe('4200');
  await button('Descartar rascunho').click();
  expect(await field('Nome do Projeto').inputValue()).toBe('Antigo');
});

test('a session that ends while a form is open leads to the login, and the typed text is kept', async () => {
  await signInWithOwnSession();
  await openPath('/projects?novo=1');
  await field('Nome do Projeto').fill('Rascunho');
  await page.getByLabel('Porta do Serviço (Backend)').fill('4200');
  await page.evaluate(() => localStorage.setItem('token', 'vencido'));
  await page.reload();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await app.expectPageErrors(/status of 401/);
  await waitForHydration(page);
  await field('Usuário').fill(ADMINISTRATOR.username);
  await page.getByLabel('Senha').fill(ADMINISTRATOR.password);
  await button('Entrar').click();
  await page.waitForURL('**/projects?novo=1');
  expect(await field('Nome do Projeto').inputValue()).toBe('Rascunho');
});

test('a logout ends the session, and a screen that needs a session leads to the login page', async () => {
  await signInWithOwnSession();
  await openPath('/admin');
  const token = await page.evaluate(() => localStorage.getItem('token'));
  await button('Sair').click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  const headers = { Authorization: `Bearer ${token}` };
  await waitFor(
    'the end of the session',
    async () => (await fetch(`${app.stack.url}/api/me`, { headers })).status === 401,
  );
  for (const path of ['/tenants', '/gateway/metrics']) {
    await openPath(path);
    await page.waitForURL('**/login');
  }
});
