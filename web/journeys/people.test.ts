import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { Stack } from '../../scripts/testing/stack';
import { launch, notified, open } from './browser';

let stack: Stack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await Stack.start();
  browser = await launch();
  ({ page } = await open(browser, stack, { token: await stack.logIn() }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string, on: Page = page) => on.getByRole('button', { name, exact: true });
const field = (name: string, on: Page = page) => on.getByRole('textbox', { name, exact: true });

/**
 * The code that an authenticator shows for a base32 secret (RFC 6238: SHA-1, 30 s, 6 digits).
 * @param ahead steps from now; of a code from before, the time would run out between here and the server
 */
function codeOf(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('an administrator is invited by a link that is shown once, sets a password and a second factor', async () => {
  await page.goto(`${stack.url}/settings?aba=administradores`);
  await button('Novo Administrador').click();
  await field('Usuário').fill('bruno');
  await button('Criar convite').click();
  const link = await page.getByLabel('Link de acesso de bruno').inputValue();
  expect(link).toContain(`${stack.url}/setup#`);
  await button('Já guardei o link').click();
  await page.getByRole('cell', { name: 'bruno', exact: true }).waitFor();
  expect(await page.content()).not.toContain(link.split('#')[1]);

  const { page: invited } = await open(browser, stack);
  await invited.goto(link);
  await invited.getByLabel('Nova Senha', { exact: true }).fill('uma senha de bruno');
  await invited.getByLabel('Repita a Nova Senha').fill('uma senha de bruno');
  await button('Definir senha', invited).click();
  await notified(invited, 'Senha definida com sucesso! Entre com o seu usuário.');
  await invited.waitForURL('**/login');
  const enter = async () => {
    await field('Usuário', invited).fill('bruno');
    await invited.getByLabel('Senha', { exact: true }).fill('uma senha de bruno');
    await button('Entrar', invited).click();
  };
  await enter();
  await invited.waitForURL('**/admin');

  await invited.goto(`${stack.url}/settings?aba=administradores`);
  await button('Ativar segundo fator', invited).click();
  const dialog = invited.getByRole('dialog', { name: 'Ativar segundo fator' });
  const secret = (await dialog.getByText(/^[A-Z2-7]{16,}$/).textContent())?.trim() ?? '';
  await field('Código', invited).fill(codeOf(secret));
  await button('Ativar', invited).click();
  const codes = await field('Códigos de recuperação', invited).inputValue();
  expect(codes.split(' ')).toHaveLength(10);
  await button('Já guardei os códigos', invited).click();
  await button('Desativar segundo fator', invited).waitFor();
  await button('Sair', invited).click();
  await invited.waitForURL('**/login');
  await enter();
  const code = field('Código do aplicativo autenticador', invited);
  await code.waitFor();
  await invited.waitForFunction((element) => element === document.activeElement, await code.elementHandle());
  await code.fill(codeOf(secret, 1));
  await button('Entrar', invited).click();
  await invited.waitForURL('**/admin');
  await invited.context().close();
});

test('what was done is in the activity, and what is looked for in the address', async () => {
  await stack.create('/projects', { name: 'CRM', dbPrefix: '', type: 'proxy', apiPort: 4000 });
  await page.goto(`${stack.url}/settings?aba=atividade`);
  const created = page.getByRole('row', { name: /criou Projeto CRM/ });
  await created.getByText('Nome: CRM', { exact: true }).waitFor();
  expect(await created.getByText('Prefixo do banco').count()).toBe(0);
  await page.getByLabel('O que mudou').selectOption({ label: 'Administrador' });
  await page
    .getByRole('row', { name: /Administrador bruno/ })
    .first()
    .waitFor();
  await page.getByRole('row', { name: /Projeto CRM/ }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('tipo')).toBe('admin');
  const download = page.waitForEvent('download');
  await button('Exportar CSV').click();
  expect((await download).suggestedFilename()).toBe('atividade.csv');
});

test('a message is marked as dealt with, and removed', async () => {
  await fetch(`${stack.coreUrl}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Visitante', email: 'v@example.com', message: 'Quero um site.' }),
  });
  await page.goto(`${stack.url}/settings?aba=mensagens`);
  await page.getByText('1 não tratada').waitFor();
  await button('Marcar como tratada Visitante').click();
  await page.getByText('Tratada', { exact: true }).waitFor();
  await page.getByText('1 não tratada').waitFor({ state: 'detached' });
  await button('Remover Visitante').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await page.getByText('Nenhuma mensagem recebida.').waitFor();
});

test('an administrator is removed', async () => {
  await page.goto(`${stack.url}/settings?aba=administradores`);
  await button('Remover bruno').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await notified(page, 'Administrador removido com sucesso!');
  await page.getByRole('cell', { name: 'bruno', exact: true }).waitFor({ state: 'detached' });
});

describe('two people on one thing', () => {
  let project = '';
  let service = '';
  const put = (path: string, body: object) => stack.call('PUT', path, body);

  beforeAll(async () => {
    const id = async (path: string, body: object) => String((await stack.create(path, body))._id);
    project = await id('/projects', { name: 'De dois', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
    service = await id('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
  });
  const conflict = () => page.getByRole('alertdialog', { name: 'Outra pessoa salvou antes de você' });

  interface Case {
    create: () => Promise<string>;
    /** The dialog of that id. */
    form: (id: string) => string;
    /** What the other one does by REST. */
    theirs: (id: string) => Promise<unknown>;
    /** What is typed here: field and value. */
    typed: [field: string, value: string];
    save: string;
    /** What the question says of the other's change. */
    told: string;
    saved: RegExp;
    /** What is saved in the end, by REST. */
    found: (id: string) => Promise<unknown>;
    both: object;
  }
  const created = async (path: string, body: object) => String((await stack.create(path, body))._id);
  const listed = async (path: string, id: string) => {
    const list = (await stack.call('GET', path)) as { _id: string }[];
    return list.find(({ _id }) => _id === id);
  };
  const cases: Record<string, Case> = {
    subdomain: {
      create: async () => {
        await stack.create('/subdomains', { subdomain: 'dois', description: 'Antes', type: 'proxy', port: 4100 });
        return 'dois';
      },
      form: (id) => `/admin?editar=${id}`,
      theirs: () => put('/subdomains/dois', { port: 4200 }),
      typed: ['Descrição', 'Minha'],
      save: 'Salvar',
      told: '4200',
      saved: /^Subdomínio salvo/,
      found: async () => {
        const { subdomains } = (await stack.call('GET', '/subdomains?search=dois')) as { subdomains: unknown[] };
        return subdomains[0];
      },
      both: { description: 'Minha', port: 4200 },
    },
    tenant: {
      create: () => created('/tenants', { name: 'Antes', subdomain: 'antes', project }),
      form: (id) => `/tenants?editar=${id}`,
      theirs: (id) => put(`/tenants/${id}`, { responsibleName: 'Bruna' }),
      typed: ['Nome do Tenant', 'Depois'],
      save: 'Salvar',
      told: 'Bruna',
      saved: /^Tenant salvo/,
      found: (id) => listed('/tenants', id),
      both: { name: 'Depois', responsibleName: 'Bruna' },
    },
    project: {
      create: () => created('/projects', { name: 'Antes', type: 'proxy', apiPort: 4001 }),
      form: (id) => `/projects?editar=${id}`,
      theirs: (id) => put(`/projects/${id}`, { dbPrefix: 'outro' }),
      typed: ['Nome do Projeto', 'Depois'],
      save: 'Salvar',
      told: 'outro',
      saved: /^Projeto salvo/,
      found: (id) => listed('/projects', id),
      both: { name: 'Depois', dbPrefix: 'outro' },
    },
    service: {
      create: () => created('/gateway/admin/services', { name: 'antes', host: 'http://127.0.0.1:4997' }),
      form: (id) => `/gateway/management?editar=${id}`,
      theirs: (id) => put(`/gateway/admin/services/${id}`, { timeoutSeconds: 17 }),
      typed: ['Nome do Serviço', 'depois'],
      save: 'Salvar',
      told: '17',
      saved: /^Serviço atualizado/,
      found: (id) => listed('/gateway/admin/services', id),
      both: { name: 'depois', timeoutSeconds: 17 },
    },
    route: {
      create: () =>
        created('/gateway/admin/routes', {
          serviceId: service,
          origin: '/estoque/antes',
          destination: '/antes',
          methods: ['GET'],
          permission: 'itens:ler',
        }),
      form: (id) => `/gateway/management?tab=rotas&editar=${id}`,
      theirs: (id) => put(`/gateway/admin/routes/${id}`, { permission: 'itens:ver' }),
      typed: ['Destino', '/depois'],
      save: 'Salvar',
      told: 'itens:ver',
      saved: /^Rota atualizada/,
      found: (id) => listed('/gateway/admin/routes', id),
      both: { destination: '/depois', permission: 'itens:ver' },
    },
    key: {
      create: () => created('/gateway/admin/keys', { name: 'Antes', permissions: ['*'] }),
      form: (id) => `/gateway/keys?editar=${id}`,
      theirs: (id) => put(`/gateway/admin/keys/${id}`, { note: 'da Bruna' }),
      typed: ['Nome', 'Depois'],
      save: 'Salvar',
      told: 'da Bruna',
      saved: /^Chave de API atualizada/,
      found: (id) => listed('/gateway/admin/keys', id),
      both: { name: 'Depois', note: 'da Bruna' },
    },
    settings: {
      create: async () => '',
      form: () => '/settings',
      theirs: () => put('/settings', { telegramBotToken: '123:abc' }),
      typed: ['Chat ID do Telegram', '42'],
      save: 'Salvar Configurações',
      told: '••••••••',
      saved: /^Configurações salvas/,
      found: () => stack.call('GET', '/settings'),
      both: { telegramBotToken: '123:abc', telegramChatId: '42' },
    },
  };

  test.each(Object.entries(cases))(
    '%s: what the other changed is told, and both changes can stay',
    async (entity, one) => {
      const id = await one.create();
      await page.goto(stack.url + one.form(id));
      const form = entity === 'settings' ? page.locator('main') : page.getByRole('dialog');
      await form.getByRole('textbox', { name: one.typed[0], exact: true }).fill(one.typed[1]);
      await one.theirs(id);
      await form.getByRole('button', { name: one.save, exact: true }).click();
      await conflict().getByText(one.told, { exact: true }).waitFor();
      await button('Manter as minhas').click();
      await notified(page, one.saved);
      expect(await one.found(id)).toMatchObject(one.both);
    },
  );

  test("the other one may be right: their values stand in the form, and nothing of one's own is left", async () => {
    const id = await created('/projects', { name: 'Duas', type: 'proxy', apiPort: 4002 });
    await page.goto(`${stack.url}/projects?editar=${id}`);
    await field('Nome do Projeto').fill('Meu nome');
    await put(`/projects/${id}`, { name: 'Nome dela' });
    await button('Salvar').click();
    await conflict().getByText('Você digitou: Meu nome').waitFor();
    await button('Ficar com as dela').click();
    await conflict().waitFor({ state: 'detached' });
    expect(await field('Nome do Projeto').inputValue()).toBe('Nome dela');
    await button('Cancelar').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Nome dela', exact: true }).waitFor();
  });

  test('a change elsewhere in the same thing is no conflict', async () => {
    const id = await created('/tenants', { name: 'Calma', subdomain: 'calma', project });
    await page.goto(`${stack.url}/tenants?editar=${id}`);
    await field('Nome do Tenant').fill('Calma e paz');
    await put(`/tenants/${id}`, { name: 'Calma' });
    await button('Salvar').click();
    await notified(page, /^Tenant salvo/);
    expect(await listed('/tenants', id)).toMatchObject({ name: 'Calma e paz' });
  });
});
