import type { Browser, Page } from 'playwright-core';
import { Stack } from '../../scripts/testing/stack';
import { expectNotice, launchBrowser, openPage } from './support/browser';
import { controls } from './support/controls';

let stack: Stack;
let browser: Browser;
let page: Page;
const { button, field } = controls(() => page);

beforeAll(async () => {
  stack = await Stack.start();
  browser = await launchBrowser();
  ({ page } = await openPage(browser, stack, { token: await stack.logIn() }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('two people edit one entity', () => {
  let project = '';
  let service = '';
  const update = (path: string, body: object) => stack.request('PUT', path, body);

  beforeAll(async () => {
    const id = async (path: string, body: object) => String((await stack.create(path, body))._id);
    project = await id('/projects', { name: 'De dois', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
    service = await id('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
  });
  const conflictDialog = () => page.getByRole('alertdialog', { name: 'Outra pessoa salvou antes de você' });

  interface Case {
    create: () => Promise<string>;
    /** The dialog of that id. */
    form: (id: string) => string;
    /** A change by another administrator, by REST. */
    theirs: (id: string) => Promise<unknown>;
    /** The field and the value that this browser types. */
    typed: [field: string, value: string];
    save: string;
    /** The text about the other administrator's change. */
    told: string;
    saved: RegExp;
    /** The stored values in the end, read by REST. */
    found: (id: string) => Promise<unknown>;
    both: object;
  }
  const createId = async (path: string, body: object) => String((await stack.create(path, body))._id);
  const findListed = async (path: string, id: string) => {
    const list = (await stack.request('GET', path)) as { _id: string }[];
    return list.find(({ _id }) => _id === id);
  };
  const cases: Record<string, Case> = {
    subdomain: {
      create: async () => {
        await stack.create('/subdomains', { subdomain: 'dois', description: 'Antes', type: 'proxy', port: 4100 });
        return 'dois';
      },
      form: (id) => `/admin?editar=${id}`,
      theirs: () => update('/subdomains/dois', { port: 4200 }),
      typed: ['Descrição', 'Minha'],
      save: 'Salvar',
      told: '4200',
      saved: /^Subdomínio salvo/,
      found: async () => {
        const { subdomains } = (await stack.request('GET', '/subdomains?search=dois')) as { subdomains: unknown[] };
        return subdomains[0];
      },
      both: { description: 'Minha', port: 4200 },
    },
    tenant: {
      create: () => createId('/tenants', { name: 'Antes', subdomain: 'antes', project }),
      form: (id) => `/tenants?editar=${id}`,
      theirs: (id) => update(`/tenants/${id}`, { responsibleName: 'Bruna' }),
      typed: ['Nome do Tenant', 'Depois'],
      save: 'Salvar',
      told: 'Bruna',
      saved: /^Tenant salvo/,
      found: (id) => findListed('/tenants', id),
      both: { name: 'Depois', responsibleName: 'Bruna' },
    },
    project: {
      create: () => createId('/projects', { name: 'Antes', type: 'proxy', apiPort: 4001 }),
      form: (id) => `/projects?editar=${id}`,
      theirs: (id) => update(`/projects/${id}`, { dbPrefix: 'outro' }),
      typed: ['Nome do Projeto', 'Depois'],
      save: 'Salvar',
      told: 'outro',
      saved: /^Projeto salvo/,
      found: (id) => findListed('/projects', id),
      both: { name: 'Depois', dbPrefix: 'outro' },
    },
    service: {
      create: () => createId('/gateway/admin/services', { name: 'antes', host: 'http://127.0.0.1:4997' }),
      form: (id) => `/gateway/management?editar=${id}`,
      theirs: (id) => update(`/gateway/admin/services/${id}`, { timeoutSeconds: 17 }),
      typed: ['Nome do Serviço', 'depois'],
      save: 'Salvar',
      told: '17',
      saved: /^Serviço atualizado/,
      found: (id) => findListed('/gateway/admin/services', id),
      both: { name: 'depois', timeoutSeconds: 17 },
    },
    route: {
      create: () =>
        createId('/gateway/admin/routes', {
          serviceId: service,
          origin: '/estoque/antes',
          destination: '/antes',
          methods: ['GET'],
          permission: 'itens:ler',
        }),
      form: (id) => `/gateway/management?tab=rotas&editar=${id}`,
      theirs: (id) => update(`/gateway/admin/routes/${id}`, { permission: 'itens:ver' }),
      typed: ['Destino', '/depois'],
      save: 'Salvar',
      told: 'itens:ver',
      saved: /^Rota atualizada/,
      found: (id) => findListed('/gateway/admin/routes', id),
      both: { destination: '/depois', permission: 'itens:ver' },
    },
    key: {
      create: () => createId('/gateway/admin/keys', { name: 'Antes', permissions: ['*'] }),
      form: (id) => `/gateway/keys?editar=${id}`,
      theirs: (id) => update(`/gateway/admin/keys/${id}`, { note: 'da Bruna' }),
      typed: ['Nome', 'Depois'],
      save: 'Salvar',
      told: 'da Bruna',
      saved: /^Chave de API atualizada/,
      found: (id) => findListed('/gateway/admin/keys', id),
      both: { name: 'Depois', note: 'da Bruna' },
    },
    rules: {
      create: async () => {
        const id = await createId('/tenants', { name: 'Regrado', subdomain: 'regrado', project });
        await update(`/tenants/${id}/policy`, { maintenance: { text: 'Antes' } });
        return id;
      },
      form: (id) => `/tenants/${id}?aba=regras`,
      theirs: (id) => update(`/tenants/${id}/policy`, { branding: { accent: '#222222' } }),
      typed: ['Texto da página', 'Depois'],
      save: 'Salvar regras',
      told: '#222222',
      saved: /^Regras salvas/,
      found: (id) => stack.request('GET', `/tenants/${id}/policy`),
      both: { maintenance: { text: 'Depois' }, branding: { accent: '#222222' } },
    },
    settings: {
      create: async () => '',
      form: () => '/settings',
      theirs: () => update('/settings', { telegramBotToken: '123:abc' }),
      typed: ['Chat ID do Telegram', '42'],
      save: 'Salvar Configurações',
      told: '••••••••',
      saved: /^Configurações salvas/,
      found: () => stack.request('GET', '/settings'),
      both: { telegramBotToken: '123:abc', telegramChatId: '42' },
    },
  };

  test.each(Object.entries(cases))(
    '%s: the change of the other person is shown, and both changes can be kept',
    async (entity, one) => {
      const id = await one.create();
      await page.goto(stack.url + one.form(id));
      const form = ['rules', 'settings'].includes(entity) ? page.locator('main') : page.getByRole('dialog');
      await form.getByRole('textbox', { name: one.typed[0], exact: true }).fill(one.typed[1]);
      await one.theirs(id);
      await form.getByRole('button', { name: one.save, exact: true }).click();
      await conflictDialog().getByText(one.told, { exact: true }).waitFor();
      await button('Manter as minhas').click();
      await expectNotice(page, one.saved);
      expect(await one.found(id)).toMatchObject(one.both);
    },
  );

  test("the other person's values can replace one's own in the form", async () => {
    const id = await createId('/projects', { name: 'Duas', type: 'proxy', apiPort: 4002 });
    await page.goto(`${stack.url}/projects?editar=${id}`);
    await field('Nome do Projeto').fill('Meu nome');
    await update(`/projects/${id}`, { name: 'Nome dela' });
    await button('Salvar').click();
    await conflictDialog().getByText('Você digitou: Meu nome').waitFor();
    await button('Ficar com as dela').click();
    await conflictDialog().waitFor({ state: 'detached' });
    expect(await field('Nome do Projeto').inputValue()).toBe('Nome dela');
    await button('Cancelar').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Nome dela', exact: true }).waitFor();
  });

  test('a change to the same entity that keeps its values is no conflict', async () => {
    const id = await createId('/tenants', { name: 'Calma', subdomain: 'calma', project });
    await page.goto(`${stack.url}/tenants?editar=${id}`);
    await field('Nome do Tenant').fill('Calma e paz');
    await update(`/tenants/${id}`, { name: 'Calma' });
    await button('Salvar').click();
    await expectNotice(page, /^Tenant salvo/);
    expect(await findListed('/tenants', id)).toMatchObject({ name: 'Calma e paz' });
  });
});
