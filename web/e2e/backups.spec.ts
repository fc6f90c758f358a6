import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ADMINISTRATOR } from '../../scripts/testing/stack';
import { expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { confirmPassword, controls } from './support/controls';

/** Time limit for a backup and its verification. Another process does this work, which is slow on a busy machine. */
const WORK_TIMEOUT = { timeout: 90_000 };
const PASSPHRASE = 'quatro palavras que ninguém sabe';
let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  onPage: (newPage) => {
    page = newPage;
  },
});
const fieldError = (text: string) => page.locator('[data-part="error-text"]', { hasText: text });
const getTabUrl = () => `${app.stack.url}/settings?aba=backup`;

/** Each test begins with the plan of a new installation. */
beforeEach(() =>
  app.stack.request('PUT', '/backup-plan', { schedule: null, folder: null, passphrase: null, s3: null }),
);

test('a plan is saved after the password is confirmed, and a backup is made, verified, and verified again', async () => {
  const { stack } = app;
  await app.replacePage(await stack.createSessionToken());
  const folder = join(stack.folder, 'copias');
  await page.goto(getTabUrl());
  await page.getByText('Só quando alguém pede').waitFor();
  await button('Editar plano').click();
  await page.getByRole('radio', { name: 'Toda semana' }).check({ force: true });
  await page.getByLabel('Hora').fill('04:30');
  await field('Pasta').fill('relativa');
  await page.getByRole('checkbox', { name: 'Cifrar os backups' }).check({ force: true });
  await page.getByLabel('Frase secreta', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Frase secreta, de novo').fill('outra');
  await button('Salvar').click();
  await fieldError('As duas frases são diferentes.').waitFor();
  await fieldError('A pasta é um caminho absoluto').waitFor();
  await page.getByLabel('Frase secreta, de novo').fill(`${PASSPHRASE} `);
  await field('Pasta').fill(folder);
  await button('Salvar').click();
  await fieldError('As duas frases diferem só nos espaços').waitFor();
  await page.getByLabel('Frase secreta, de novo').fill(PASSPHRASE);
  await button('Salvar').click();
  await confirmPassword(page, ADMINISTRATOR.password);
  await expectNotice(page, 'Plano salvo com sucesso!');
  await page.getByText('Toda semana, domingo às 04:30 (America/Sao_Paulo)').waitFor();
  await page.getByText('Com frase secreta, no formato age').waitFor();
  expect(await page.content()).not.toContain(PASSPHRASE);
  const command = page.locator('code').filter({ hasText: 'npm run restore' });
  expect(await command.textContent()).toBe('npm run restore -- ARQUIVO --passphrase-file /root/passphrase');
  await button('Editar plano').click();
  await page.getByRole('checkbox', { name: 'Cifrar os backups' }).uncheck({ force: true });
  await button('Salvar').click();
  await page.getByText('Sem cifra: quem tem o arquivo tem a instalação').waitFor();
  expect(await command.textContent()).toBe('npm run restore -- ARQUIVO');
  await page.getByText('em uma release, node restore.mjs').waitFor();

  await button('Fazer backup agora').click();
  await expectNotice(page, 'Backup iniciado.');
  const backup = page.getByRole('listitem').filter({ hasText: 'Pedido à mão' }).first();
  await backup.getByText('Verificado', { exact: true }).waitFor(WORK_TIMEOUT);
  const location = (await backup.locator('code').textContent()) ?? '';
  expect([location.startsWith(folder), existsSync(location)]).toEqual([true, true]);
  await backup.getByRole('button', { name: /^Verificar de novo/ }).click();
  await expectNotice(page, 'Verificação iniciada.');
  await backup.getByText('Verificado', { exact: true }).waitFor(WORK_TIMEOUT);
});

test('the next backup is shown in the time zone of the plan, like its schedule', async () => {
  const { stack, browser } = app;
  await stack.request('PUT', '/backup-plan', { schedule: '30 4 * * *' });
  const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'Asia/Kathmandu' });
  await context.addInitScript((token) => localStorage.setItem('token', token), await stack.logIn());
  page = await context.newPage();
  await page.goto(getTabUrl());
  await page.getByText('Todo dia às 04:30 (America/Sao_Paulo)', { exact: true }).waitFor();
  const next = page.getByRole('definition').filter({ hasText: /^\d\d\/\d\d\/\d{4}, / });
  expect(await next.textContent()).toMatch(/, 04:30 \(America\/Sao_Paulo\)$/);
  await context.close();
});

test('a passphrase that is too short is marked, and its error replaces the hint', async () => {
  await page.goto(getTabUrl());
  await button('Editar plano').click();
  await page.getByRole('checkbox', { name: 'Cifrar os backups' }).check({ force: true });
  await page.getByText('De 12 a 512 caracteres.', { exact: true }).waitFor();
  const passphrase = page.getByLabel('Frase secreta', { exact: true });
  expect(await passphrase.getAttribute('required')).not.toBeNull();
  await passphrase.fill('curta');
  await page.getByLabel('Frase secreta, de novo').fill('curta');
  await button('Salvar').click();
  await fieldError('A frase secreta tem de 12 a 512 caracteres.').waitFor();
  await page.getByText('De 12 a 512 caracteres.', { exact: true }).waitFor({ state: 'detached' });
});

test('an invalid cron line and an invalid folder are marked together', async () => {
  await page.goto(getTabUrl());
  await button('Editar plano').click();
  await page.getByRole('radio', { name: 'Cron' }).check({ force: true });
  await field('Pasta').fill('relativa');
  for (const cron of ['* * *', '99 3 * * *', '0,30 3 * * *', '0 3 * 13 *']) {
    await field('Cron').fill(cron);
    await fieldError('Informe cinco campos de cron').waitFor({ state: 'detached' });
    await button('Salvar').click();
    await fieldError('Informe cinco campos de cron').waitFor();
    await fieldError('A pasta é um caminho absoluto').waitFor();
  }
  await field('Cron').fill('0 3 * * MON');
  await field('Pasta').fill('');
  await button('Salvar').click();
  await expectNotice(page, 'Plano salvo com sucesso!');
});

test('a refused S3 URL is marked at its field, and a failed backup shows its reason', async () => {
  await page.goto(getTabUrl());
  await button('Editar plano').click();
  await page.getByRole('radio', { name: 'S3' }).check({ force: true });
  await page.getByText('Backups em S3 são sempre cifrados.').waitFor();
  await button('Salvar').click();
  // The bucket, the key and its secret are marked together.
  await fieldError('Preencha este campo.').nth(2).waitFor();
  await field('Endereço do serviço S3').fill('http://169.254.169.254');
  await field('Bucket').fill('copias');
  await field('Id da chave de acesso').fill('id');
  await page.getByLabel('Segredo da chave de acesso').fill('segredo');
  await page.getByLabel('Frase secreta', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Frase secreta, de novo').fill(PASSPHRASE);
  await button('Salvar').click();
  await fieldError('Este endereço não pode receber backups.').waitFor();
  await page.getByRole('radio', { name: 'Pasta' }).check({ force: true });
  await field('Pasta').fill(join(app.stack.folder, 'studio.sqlite/copias')); // Below a file.
  await button('Salvar').click();
  await expectNotice(page, 'Plano salvo com sucesso!');
  await button('Fazer backup agora').click();
  const failedBackup = page.getByRole('listitem').filter({ hasText: 'Falhou' });
  await failedBackup.getByText('A pasta não pode ser usada (ENOTDIR).').waitFor(WORK_TIMEOUT);
});

test('an operator sees no backups', async () => {
  await app.signInAs('ana', { role: 'operator' });
  await page.goto(getTabUrl());
  await page.getByText('Seu papel não permite abrir esta tela.').waitFor();
  expect(await page.getByRole('tab', { name: 'Backup' }).count()).toBe(0);
});
