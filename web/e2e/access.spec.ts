import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { ADMINISTRATOR } from '../../scripts/testing/stack';
import { openScreen, watchNetwork } from './support/browser';
import { startConsole } from './support/console';
import { confirmPassword, controls } from './support/controls';
import { resolveUrl } from './support/screens';

let page: Page;
let serviceId: string;
const { button, field } = controls(() => page);
const app = startConsole({
  environment: { AI_BASE_URL: 'http://127.0.0.1:9', AI_API_KEY: 'chave' },
  onPage: (newPage) => {
    page = newPage;
  },
  setUp: async (stack) => {
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
    const project = await stack.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
    await stack.create('/tenants', { name: 'Padaria', project: project._id, subdomain: 'padaria' });
    const service = await stack.create('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
    serviceId = String(service._id);
    await stack.create('/gateway/admin/keys', { name: 'Aplicativo', permissions: ['*'] });
  },
});

test('a token is shown once after a password check, works in the example, is edited, rotated and revoked', async () => {
  const { stack } = app;
  await stack.removeAll('/tokens');
  await app.replacePage(await stack.createSessionToken());
  await page.goto(`${stack.url}/settings?aba=tokens`);
  await button('Novo token').click();
  const dialog = page.getByRole('dialog', { name: 'Novo token' });
  await field('Nome').fill('Relatórios');
  await dialog.getByLabel('Tenants').selectOption({ label: 'Ler' });
  await button('Criar token').click();
  await confirmPassword(page, ADMINISTRATOR.password);
  const token = await field('Token Relatórios').inputValue();
  expect(token).toMatch(/^stp_/);
  const example = (await page.getByRole('dialog', { name: 'Seu token' }).locator('pre').textContent()) ?? '';
  const [restResponse, graphResponse] = example
    .split('\n')
    .map((line) => JSON.parse(execFileSync('sh', ['-c', line]).toString()));
  expect(restResponse).toMatchObject({ username: 'admin', token: { name: 'Relatórios', scopes: ['tenants:read'] } });
  expect(graphResponse).toMatchObject({ data: { me: { token: { name: 'Relatórios' } } } });
  await button('Já guardei o token').click();
  await page.getByRole('row', { name: /Relatórios/ }).waitFor();
  expect(await page.content()).not.toContain(token);

  // Within ten minutes the console does not ask for the password again.
  await button('Editar Relatórios').click();
  const editDialog = page.getByRole('dialog', { name: 'Editar token Relatórios' });
  expect(await editDialog.getByLabel('Tenants').inputValue()).toBe('read');
  await editDialog.getByLabel('Projetos', { exact: true }).selectOption({ label: 'Ler' });
  await button('Salvar').click();
  await page.getByText('Token alterado com sucesso!').waitFor();
  const authorization = { Authorization: `Bearer ${token}` };
  const me = await (await fetch(`${stack.url}/api/me`, { headers: authorization })).json();
  expect(me.token.scopes).toEqual(['projects:read', 'tenants:read']);
  await button('Trocar Relatórios').click();
  await button('Trocar token').click();
  expect(await field('Token Relatórios').inputValue()).not.toBe(token);
  await button('Já guardei o token').click();
  await button('Revogar Relatórios').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click();
  await page.getByText('Nenhum token ainda.').waitFor();
});

test('invalid IPs of a new token are marked together with its other errors, and are saved once corrected', async () => {
  await page.goto(`${app.stack.url}/settings?aba=tokens`);
  await button('Novo token').click();
  const dialog = page.getByRole('dialog', { name: 'Novo token' });
  await dialog.getByText('Mais opções').click();
  await dialog.getByLabel('IPs permitidos').fill('203.0.113.0/24\n203.0.113.300');
  await button('Criar token').click();
  await dialog.getByText('Informe endereços IP ou blocos CIDR, como 203.0.113.0/24.').waitFor();
  expect(await dialog.locator('[aria-invalid="true"]').count()).toBeGreaterThan(1);
  await dialog.getByLabel('IPs permitidos').fill('203.0.113.0/24\n2001:db8::/32 203.0.113.30');
  await field('Nome').fill('Relatórios de fora');
  await dialog.getByLabel('Tenants').selectOption({ label: 'Ler' });
  await button('Criar token').click();
  await page.getByRole('dialog', { name: 'Seu token' }).waitFor();
  await button('Já guardei o token').click();
  expect(await app.stack.request('GET', '/tokens')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ allowedIps: ['203.0.113.0/24', '2001:db8::/32', '203.0.113.30'] }),
    ]),
  );
});

test('the status of each integration has the grammatical gender of its name', async () => {
  await page.goto(`${app.stack.url}/settings`);
  await page.getByRole('heading', { name: /^E-mail\s*Não configurado$/ }).waitFor();
  await page.getByRole('heading', { name: /^IA\s*Configurada$/ }).waitFor();
});

test('the console shows the latest logins of the signed-in account and tokens that expire soon', async () => {
  const { stack } = app;
  const token = await stack.createSessionToken();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const post = async (path: string, body: object, expectedStatus: number) => {
    const { status } = await fetch(`${stack.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, status]).toEqual([path, expectedStatus]);
  };
  await post('/me/sudo', { password: ADMINISTRATOR.password }, 200);
  const expiresAt = new Date(Date.now() + 5 * 24 * 3600 * 1000).toISOString();
  await post('/tokens', { name: 'Quase no fim', scopes: ['tenants:read'], expiresAt }, 201);
  await app.replacePage(token);
  await page.goto(`${stack.url}/settings?aba=conta`);
  const logins = page.getByRole('list', { name: 'Últimos acessos' }).getByRole('listitem');
  await logins
    .filter({ hasText: /Entrada .*do próprio servidor/ })
    .first()
    .waitFor();
  await logins.filter({ hasText: 'Senha confirmada' }).first().waitFor();
  await page.evaluate(() => localStorage.setItem('overview', 'open'));
  await page.goto(`${stack.url}/admin`);
  await page.getByRole('link', { name: 'Quase no fim' }).click();
  await button('Revogar Quase no fim').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click();
  await page.getByText('Token revogado com sucesso!').waitFor();
});

test('the password dialog shows what is wrong, and closing it changes nothing', async () => {
  const { stack } = app;
  await app.replacePage(await stack.createSessionToken());
  await page.goto(`${stack.url}/settings?aba=administradores`);
  await button('Novo administrador').click();
  await field('Usuário').fill('ninguem');
  await button('Criar convite').click();
  const dialog = page.getByRole('dialog', { name: 'Confirme a sua senha' });
  await dialog.getByLabel('Sua senha').fill('errada');
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.getByText('A senha não confere.').first().waitFor();
  await dialog.getByLabel('Sua senha').fill(`${ADMINISTRATOR.password} `);
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.getByText('A senha digitada começa ou termina com um espaço.').waitFor();
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await field('Usuário').inputValue()).toBe('ninguem');
});

test('no screen offers a viewer a control that the server refuses', async () => {
  const viewer = await app.openAs('vera', { role: 'viewer' });
  const refusals: string[] = [];
  viewer.on('response', async (response) => {
    if (!response.url().endsWith('/graphql')) return;
    const body = await response.text().catch(() => ''); // A navigation discards the texts of responses.
    if (body.includes('FORBIDDEN')) refusals.push(`${viewer.url()}: ${response.request().postData()}`);
  });
  const paths = ['/admin', '/tenants', '/projects', '/gateway/keys', '/gateway/management', '/gateway/metrics'];
  const tenantPaths = ['', 'aba=versoes', 'aba=regras', 'aba=dominios'].map((query) => `/tenants/:id?${query}`);
  const otherPaths = [
    '/projects/:id',
    '/gateway/management?tab=rotas',
    '/settings?aba=tokens',
    '/settings?aba=conta',
    '/alerts?aba=canais',
  ];
  const requestsSettled = watchNetwork(viewer);
  for (const path of [...paths, ...tenantPaths, ...otherPaths]) {
    await openScreen(viewer, await resolveUrl(path, app.stack));
    await requestsSettled();
    // A viewer may change the settings of their own account.
    const expectedMarks = path.startsWith('/settings') ? 0 : 1;
    expect([path, await viewer.getByText('Somente leitura').count()]).toEqual([path, expectedMarks]);
    const changeLabels =
      /^(Nov[oa] (?!token)|Criar|Cadastrar|Adicionar|Remover|Editar|Mover|Deletar|Trocar chave|Importar|Configurar|Verificar)/;
    const offeredControls = await viewer.getByRole('button', { name: changeLabels }).allTextContents();
    expect([path, offeredControls]).toEqual([path, []]);
  }
  await viewer.goto(`${app.stack.url}/gateway/management?importar=${serviceId}`);
  await viewer.getByText('estoque').first().waitFor();
  await viewer.waitForLoadState('networkidle');
  expect(await viewer.getByRole('dialog').count()).toBe(0);
  await viewer.goto(`${app.stack.url}/gateway/management?remover=${serviceId}`);
  await viewer.getByText('estoque').first().waitFor();
  await viewer.waitForLoadState('networkidle');
  expect(await viewer.getByRole('alertdialog').count()).toBe(0);
  expect(refusals).toEqual([]);
  await viewer.goto(`${app.stack.url}/settings?aba=administradores`);
  await viewer.getByText('Seu papel não permite abrir esta tela.').waitFor();
  await viewer.context().close();
});

test('if the URL names a tab that the role may not open, no tab is selected, and another tab can be opened', async () => {
  await app.signInAs('rui', { role: 'viewer' });
  await page.goto(`${app.stack.url}/settings?aba=backup`);
  await page.getByText('Seu papel não permite abrir esta tela.').waitFor();
  expect(await page.getByRole('tab', { selected: true }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Minha conta' }).press('Enter');
  await page.getByRole('tab', { name: 'Minha conta', selected: true }).waitFor();
  expect(await page.getByText('Seu papel não permite abrir esta tela.').count()).toBe(0);
});

test('an account that is limited to a project opens only screens of that project, and loses the controls when it becomes a viewer', async () => {
  const [project] = (await app.stack.request('GET', '/projects')) as { _id: string }[];
  const limitedPage = await app.openAs('lia', { role: 'operator', projects: [project?._id] }, '**/tenants');
  const refusedCalls: string[] = [];
  limitedPage.on('response', async (response) => {
    const text = response.url().endsWith('/graphql') ? await response.text().catch(() => '') : '';
    if (text.includes('FORBIDDEN')) refusedCalls.push(text);
  });
  await limitedPage.reload({ waitUntil: 'networkidle' });
  expect(refusedCalls).toEqual([]);
  await limitedPage.getByRole('heading', { level: 1, name: 'Gerenciador de Tenants' }).waitFor();
  for (const path of ['/settings?aba=backup', '/admin']) {
    await limitedPage.goto(app.stack.url + path);
    await limitedPage.getByText('Sua conta é limitada a alguns projetos e não abre esta tela.').waitFor();
  }
  await limitedPage.getByRole('link', { name: 'Ir para os tenants' }).click();
  await limitedPage.getByRole('link', { name: 'Padaria', exact: true }).click();
  await limitedPage.getByRole('heading', { level: 1, name: 'Padaria' }).waitFor();
  await limitedPage.getByRole('tab', { name: 'Regras' }).click();
  await limitedPage.getByRole('button', { name: 'Salvar regras' }).waitFor();
  const links = await limitedPage.getByRole('navigation', { name: 'Principal' }).getByRole('link').allTextContents();
  expect(links).toEqual(['Tenants', 'Projetos', 'Configurações']);
  expect(await limitedPage.getByRole('link', { name: /Alertas/ }).count()).toBe(0);
  await limitedPage.goto(`${app.stack.url}/projects`);
  await limitedPage.getByRole('cell', { name: 'CRM', exact: true }).waitFor();
  expect(await limitedPage.getByRole('button', { name: /Novo Projeto|Remover/ }).count()).toBe(0);
  const accounts = (await app.stack.request('GET', '/admins')) as { _id: string; username: string }[];
  const { _id } = accounts.find(({ username }) => username === 'lia') ?? {};
  await button('Editar CRM', limitedPage).click();
  await field('Nome do Projeto', limitedPage).fill('CRM 2');
  await app.stack.request('PUT', `/admins/${_id}`, { role: 'viewer', projects: [project?._id] });
  await button('Salvar', limitedPage).click();
  await limitedPage.getByText('Somente leitura').waitFor();
  await limitedPage.context().close();
});

test('the activity lists logins', async () => {
  await page.goto(`${app.stack.url}/settings?aba=atividade`);
  await page.getByLabel('O que mudou').selectOption({ label: 'Acessos' });
  await page
    .getByRole('row', { name: /entrou/ })
    .first()
    .waitFor();
  expect(new URL(page.url()).searchParams.get('tipo')).toBe('login');
});
