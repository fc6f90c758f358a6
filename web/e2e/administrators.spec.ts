import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { ADMINISTRATOR } from '../../scripts/testing/stack';
import { createAccount } from './support/account';
import { expectNotice, login, submitLogin, waitForFocus } from './support/browser';
import { startConsole } from './support/console';
import { confirmPassword, controls } from './support/controls';
import { getOperationName } from './support/graph';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  onPage: (newPage) => {
    page = newPage;
  },
});

const openPath = (path: string) => page.goto(app.stack.url + path);

/**
 * Generates the code that an authenticator app shows for a Base32 secret (RFC 6238: SHA-1, 30 s, 6 digits).
 * @param stepsAhead number of periods from now. A login accepts each code once and allows for one period of drift.
 */
function generateTotp(secret: string, stepsAhead = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const digest = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

interface Account {
  _id: string;
  username: string;
}
/** Each test begins with the first administrator only. */
beforeEach(async () => {
  for (const { _id, username } of (await app.stack.request('GET', '/admins')) as Account[])
    if (username !== ADMINISTRATOR.username) await app.stack.request('DELETE', `/admins/${_id}`);
});

test('after the removal of the last service account, the button of a new service account has the focus', async () => {
  await app.stack.create('/service-accounts', { name: 'robo', role: 'viewer' });
  await app.replacePage(await app.stack.createSessionToken());
  await openPath('/settings?aba=tokens');
  await page
    .getByRole('row', { name: 'robo' })
    .getByRole('button', { name: /^Remover/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await confirmPassword(page, ADMINISTRATOR.password);
  await waitForFocus(page, 'Nova conta de serviço');
});

test('an invitation with a name that exists or is reserved is refused before the password is asked for', async () => {
  await app.replacePage(await app.stack.createSessionToken());
  await openPath('/settings?aba=administradores');
  // The form finds existing names in the list, so the list must be loaded.
  await page.getByRole('row', { name: `${ADMINISTRATOR.username} (você)` }).waitFor();
  await button('Novo administrador').click();
  for (const [name, refusal] of [
    [` ${ADMINISTRATOR.username.toUpperCase()} `, `Já existe um administrador chamado ${ADMINISTRATOR.username}.`],
    ['Core', 'Este nome é reservado pelo sistema. Escolha outro.'],
  ] as const) {
    await field('Usuário').fill(name);
    await button('Criar convite').click();
    await page.getByText(refusal).waitFor();
    expect(await page.getByRole('dialog', { name: 'Confirme a sua senha' }).count()).toBe(0);
  }
});

test('an invitation names the account, and leads to a login with the name filled in', async () => {
  await app.replacePage(await app.stack.createSessionToken());
  await openPath('/settings?aba=administradores');
  await button('Novo administrador').click();
  await field('Usuário').fill('João Silva');
  await page.getByText('A conta se chamará joão silva.').waitFor();
  await page.getByLabel('Papel', { exact: true }).selectOption({ label: 'Administração' });
  await button('Criar convite').click();
  await confirmPassword(page, ADMINISTRATOR.password);
  const link = await page.getByLabel('Link de acesso de joão silva').inputValue();
  await button('Já guardei o link').click();
  await waitForFocus(page, 'Novo administrador');
  const row = () => page.getByRole('row').filter({ hasText: 'joão silva' });
  await row().getByText('Convite pendente').waitFor();
  expect(await page.content()).not.toContain(link.split('#')[1]);

  await app.replacePage();
  await page.goto(link);
  await page.getByText('Sua conta: joão silva').waitFor();
  await page.getByLabel('Nova senha', { exact: true }).fill('curta');
  await button('Definir senha').click();
  await page.getByText('A nova senha é curta demais.').waitFor();
  await page.getByText('As senhas não são iguais.').waitFor();
  expect(await page.getByText('10 caracteres').count()).toBe(1);
  const password = 'uma senha de teste bem longa';
  await page.getByLabel('Nova senha', { exact: true }).fill(password);
  await page.getByLabel('Repita a nova senha').fill(password);
  await button('Definir senha').click();
  await expectNotice(page, 'Senha definida com sucesso! Entre com o seu usuário.');
  await page.waitForURL('**/login');
  expect(await field('Usuário').inputValue()).toBe('joão silva');
  await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'password');
  await page.getByLabel('Senha', { exact: true }).fill(`${password} `);
  await button('Entrar').click();
  await page.getByText('A senha digitada começa ou termina com um espaço.').waitFor();
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await button('Entrar').click();
  await page.waitForURL('**/admin');
  expect(await page.getByText('Senha definida com sucesso!').count()).toBe(0);
  await openPath('/settings?aba=administradores');
  await row().waitFor();
  expect(await row().getByText('Convite pendente').count()).toBe(0);
});

test('if the list of accounts has not loaded, an existing name is marked at its field after the password is confirmed', async () => {
  await app.replacePage(await app.stack.createSessionToken());
  // The request for the list gets no response.
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('"Admins"')) await route.continue();
  });
  await page.goto(`${app.stack.url}/settings?aba=administradores&novo=1`);
  await field('Usuário').fill(ADMINISTRATOR.username);
  await button('Criar convite').click();
  await confirmPassword(page, ADMINISTRATOR.password);
  await page.getByText(`Já existe um administrador chamado ${ADMINISTRATOR.username}.`).waitFor();
  expect(await field('Usuário').getAttribute('aria-invalid')).toBe('true');
});

/**
 * Creates an account with a second factor.
 * @returns its credentials, a token of a session in which the password was confirmed, the secret and the recovery codes
 */
async function createAccountWithTotp(username: string) {
  const account = await createAccount(app.stack, username);
  const request = async (method: string, path: string, body: object, token = '') => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
    const url = `${app.stack.coreUrl}/api${path}`;
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as Record<string, unknown>;
  };
  const token = String((await request('POST', '/login', account)).token);
  await request('POST', '/me/sudo', { password: account.password }, token);
  const secret = String((await request('POST', '/me/totp', {}, token)).secret);
  const { recoveryCodes } = await request('PUT', '/me/totp', { code: generateTotp(secret) }, token);
  return { account, token, secret, recoveryCodes: recoveryCodes as string[] };
}

test('a second factor is set up with recovery codes, which can be downloaded and printed', async () => {
  const account = await createAccount(app.stack, 'bruno');
  await app.replacePage();
  await login(page, app.stack.url, account);

  await page.getByLabel('Conta', { exact: true }).first().click();
  await page.getByRole('navigation', { name: 'Conta' }).getByText('bruno', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Senha e segundo fator' }).click();
  await button('Ativar segundo fator').click();
  await confirmPassword(page, account.password);
  const dialog = page.getByRole('dialog', { name: 'Ativar segundo fator' });
  const secret = (await dialog.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent())?.replaceAll(' ', '') ?? '';
  // An authenticator app shows the code with a space in the middle.
  await field('Código').fill(generateTotp(secret).replace(/^.../, '$& '));
  await button('Ativar').click();
  const items = page.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem');
  await items.first().waitFor();
  const codes = await items.allTextContents();
  expect(codes).toHaveLength(10);
  const download = page.waitForEvent('download');
  await button('Baixar .txt').click();
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  await page.emulateMedia({ media: 'print' });
  expect(await items.first().isVisible()).toBe(true);
  expect(await button('Baixar .txt').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await button('Já guardei os códigos').click();
  await waitForFocus(page, 'Desativar segundo fator');
  await button('Sair').click();
  await page.waitForURL('**/login');
});

test('the end of a second factor asks only for its code if the password was confirmed a moment ago', async () => {
  const { token } = await createAccountWithTotp('breno');
  await app.replacePage(token);
  await openPath('/settings?aba=conta');
  await button('Desativar segundo fator').click();
  const endDialog = page.getByRole('dialog', { name: 'Desativar segundo fator' });
  await endDialog.getByText('O login desta conta passa a pedir só a senha.', { exact: true }).waitFor();
  await button('Desativar').click();
  await field('Código').waitFor();
  await endDialog.getByRole('button', { name: 'Cancelar' }).click();
  await endDialog.waitFor({ state: 'detached' });
});

test('the login asks for the code of the second factor in a second step', async () => {
  const { account, secret } = await createAccountWithTotp('beto');
  await app.replacePage();
  await openPath('/login');
  await submitLogin(page, account);
  const code = field('Código do aplicativo autenticador');
  await code.waitFor();
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
  await page.waitForFunction((element) => element === document.activeElement, await code.elementHandle());
  await code.fill('000000');
  await button('Entrar').click();
  await page.waitForFunction((element) => element?.getAttribute('aria-invalid') === 'true', await code.elementHandle());
  await code.fill(generateTotp(secret, 1));
  await button('Entrar').click();
  await page.waitForURL('**/admin');
});

test('a recovery code replaces the code of the second factor at the login', async () => {
  const { account, recoveryCodes } = await createAccountWithTotp('bela');
  await app.replacePage();
  await openPath('/login');
  await submitLogin(page, account);
  await button('Usar um código de recuperação').click();
  await field('Código de recuperação').fill(recoveryCodes[0] ?? '');
  await button('Entrar').click();
  await page.waitForURL('**/admin');
});

test('a wrong current password is marked at its field, and the session continues after a password change', async () => {
  const account = await createAccount(app.stack, 'dora');
  await app.replacePage();
  await login(page, app.stack.url, account);
  await openPath('/settings?aba=conta');
  await page.getByLabel('Senha atual').fill('errada, e longa');
  await page.getByLabel('Nova senha', { exact: true }).fill('outra senha bem longa');
  await page.getByLabel('Repita a nova senha').fill('outra senha bem longa');
  await button('Alterar senha').click();
  // The message is shown only at its field, and the next change removes it.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  expect(await page.getByText('A senha atual não confere.').count()).toBe(1);
  await page.getByLabel('Senha atual').fill(account.password);
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
  await button('Alterar senha').click();
  await expectNotice(page, 'Senha alterada com sucesso!');
  await openPath('/tenants');
  await page.getByRole('heading', { level: 1, name: 'Gerenciador de Tenants' }).waitFor();
});

test('the activity lists changes, keeps its filter in the URL, and can be exported as CSV', async () => {
  await app.stack.removeAll('/projects');
  await app.stack.create('/projects', { name: 'CRM', dbPrefix: '', type: 'proxy', apiPort: 4000 });
  await app.stack.create('/admins', { username: 'elisa' });
  await openPath('/settings?aba=atividade');
  const createdRow = page.getByRole('row', { name: /criou Projeto CRM/ });
  await createdRow.getByText('Nome: CRM', { exact: true }).waitFor();
  expect(await createdRow.getByText('Prefixo do banco').count()).toBe(0);
  await page.getByLabel('O que mudou').selectOption({ label: 'Administrador' });
  await page
    .getByRole('row', { name: /Administrador elisa/ })
    .first()
    .waitFor();
  await page.getByRole('row', { name: /Projeto CRM/ }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('tipo')).toBe('admin');
  const download = page.waitForEvent('download');
  await button('Exportar CSV').click();
  expect((await download).suggestedFilename()).toBe('atividade.csv');
});

test('a change during the export of the activity repeats no line of the CSV', async () => {
  const project = { name: 'Loja', dbPrefix: '', type: 'proxy', apiPort: 4000 };
  const { _id } = await app.stack.create('/projects', project);
  const rename = (name: string) => app.stack.request('PUT', `/projects/${_id}`, { ...project, name });
  // The first page of the export has 100 entries.
  for (let change = 1; change <= 101; change += 1) await rename(`Loja ${change}`);
  await page.route('**/graphql', async (route) => {
    const isSecondPage = getOperationName(route) === 'Audit' && route.request().postDataJSON().variables.page === 2;
    if (isSecondPage) await rename('Loja nova');
    await route.fallback();
  });
  await openPath('/settings?aba=atividade&tipo=project');
  const downloadStarted = page.waitForEvent('download');
  await button('Exportar CSV').click();
  const lines = readFileSync(await (await downloadStarted).path(), 'utf8').split('\r\n');
  expect(lines.filter((line, index) => lines.indexOf(line) < index)).toEqual([]);
  // The name is the new value of one entry and the previous value of the next.
  expect(lines.filter((line) => line.includes('"Loja 1"'))).toHaveLength(2);
});

test('a button below the activity adds the next entries, each once, even after another change', async () => {
  const project = { name: 'Caixa', dbPrefix: '', type: 'proxy', apiPort: 4000 };
  const { _id } = await app.stack.create('/projects', project);
  const rename = (name: string) => app.stack.request('PUT', `/projects/${_id}`, { ...project, name });
  for (let change = 1; change <= 62; change += 1) await rename(`Caixa ${change}`); // More than two pages.
  await openPath('/settings?aba=atividade&tipo=project');
  await page.getByText('Nome: Caixa 61 → Caixa 62', { exact: true }).waitFor();
  expect(await page.getByText(/^Nome: Caixa/).count()).toBe(30); // The size of a page.
  await rename('Caixa nova');
  await button('Carregar mais').click();
  await page.getByText('Nome: Caixa 62 → Caixa nova', { exact: true }).waitFor();
  await page.locator('button:not([aria-busy])', { hasText: 'Carregar mais' }).click();
  await page.getByText('Nome: Caixa', { exact: true }).waitFor();
  const changes = await page.getByText(/^Nome: Caixa \d+ → /).allTextContents();
  expect(changes).toEqual([...new Set(changes)]);
});

test('a message counts as new until it is marked as handled, and it can be marked as answered and removed', async () => {
  await app.stack.removeAll('/contact');
  await fetch(`${app.stack.coreUrl}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Visitante', email: 'v@example.com', message: 'Quero um site.' }),
  });
  await openPath('/tenants');
  await page.locator('summary[aria-label="Conta"]').click();
  await page.getByRole('link', { name: 'Mensagens recebidas 1 nova' }).waitFor();
  await page.getByRole('link', { name: 'Mensagens: 1 nova' }).click();
  await page.getByText('1 não tratada').waitFor();
  await button('Marcar como tratada Visitante').click();
  await page.getByText('Tratada', { exact: true }).waitFor();
  await page.getByText('1 não tratada').waitFor({ state: 'detached' });
  // The time-out ends before the next poll of the top bar, so the count must change without a poll.
  await page.getByRole('link', { name: 'Mensagens', exact: true }).waitFor({ timeout: 8_000 });
  await button('Responder Visitante').click();
  const question = page.getByText('Depois de enviar a resposta, marque a mensagem como respondida.');
  await question.waitFor();
  // A green notification would suggest that the answer was sent.
  expect(await page.locator('[data-color=success]').filter({ has: question }).count()).toBe(0);
  await button('Marcar como respondida Visitante').click();
  await page.getByText(/^Respondida (agora|há)/).waitFor();
  expect(await question.count()).toBe(0);
  // Each mark is shown beside the other, with the action that removes it.
  await page.getByText('Tratada', { exact: true }).waitFor();
  await button('Desmarcar tratada Visitante').click();
  await page.getByText('1 não tratada').waitFor();
  await page.getByText(/^Respondida (agora|há)/).waitFor();
  await button('Desmarcar respondida Visitante').click();
  await page.getByText(/^Respondida (agora|há)/).waitFor({ state: 'detached' });
  await button('Remover Visitante').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await page.getByText('Nenhuma mensagem recebida.').waitFor();
});

test('the error about a limited account without a project stands below the hint of the field', async () => {
  await openPath('/settings?aba=administradores&novo=1');
  await page.getByRole('checkbox', { name: 'Limitar a alguns projetos' }).check({ force: true });
  const hint = page.getByText('A conta alcança só estes projetos e os tenants deles.');
  await hint.waitFor();
  await field('Usuário').fill('limitada');
  await button('Criar convite').click();
  const hintBox = await hint.boundingBox();
  const errorBox = await page.getByText('Escolha ao menos um projeto.').boundingBox();
  expect(errorBox?.y).toBeGreaterThanOrEqual((hintBox?.y ?? Infinity) + (hintBox?.height ?? 0));
});

test('an administrator is removed', async () => {
  await app.stack.create('/admins', { username: 'carla' });
  await openPath('/settings?aba=administradores');
  await button('Remover carla').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expectNotice(page, 'Administrador removido com sucesso!');
  await page.getByRole('row').filter({ hasText: 'carla' }).waitFor({ state: 'detached' });
});
