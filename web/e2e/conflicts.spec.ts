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
  const createAndGetId = async (path: string, body: object) => String((await stack.create(path, body))._id);
  const update = (path: string, body: object) => stack.request('PUT', path, body);

  beforeAll(async () => {
    project = await createAndGetId('/projects', { name: 'De dois', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
    service = await createAndGetId('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
  });
  const conflictDialog = () => page.getByRole('alertdialog', { name: 'Outra pessoa salvou antes de você' });

  interface Case {
    create: () => Promise<string>;
    /** Path of the form that edits the entity. */
    toFormPath: (id: string) => string;
    /** Saves the change of another administrator by REST. */
    saveTheirs: (id: string) => Promise<unknown>;
    /** The field that the test fills in, and the typed value. */
    typedField: [field: string, value: string];
    /** Default: `Salvar`. */
    saveButton?: string;
    /** The text that shows the other administrator's change. */
    shownConflict: string;
    successText: RegExp;
    /** Reads the stored entity by REST. */
    readStored: (id: string) => Promise<unknown>;
    mergedFields: object;
  }
  const findListed = async (path: string, id: string) => {
    const list = (await stack.request('GET', path)) as { _id: string }[];
    return list.find(({ _id }) => _id === id);
  };
  const s3 = {
    endpoint: 'http://127.0.0.1:9',
    bucket: 'copias',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'segredo',
    forcePathStyle: true,
  };
  const cases: Record<string, Case> = {
    subdomain: {
      create: async () => {
        await stack.create('/subdomains', { subdomain: 'dois', description: 'Antes', type: 'proxy', port: 4100 });
        return 'dois';
      },
      toFormPath: (id) => `/admin?editar=${id}`,
      saveTheirs: () => update('/subdomains/dois', { port: 4200 }),
      typedField: ['Descrição', 'Minha'],
      shownConflict: '4200',
      successText: /^Subdomínio salvo/,
      readStored: async () => {
        const { subdomains } = (await stack.request('GET', '/subdomains?search=dois')) as { subdomains: unknown[] };
        return subdomains[0];
      },
      mergedFields: { description: 'Minha', port: 4200 },
    },
    tenant: {
      create: () => createAndGetId('/tenants', { name: 'Antes', subdomain: 'antes', project }),
      toFormPath: (id) => `/tenants?editar=${id}`,
      saveTheirs: (id) => update(`/tenants/${id}`, { responsibleName: 'Bruna' }),
      typedField: ['Nome do Tenant', 'Depois'],
      shownConflict: 'Bruna',
      successText: /^Tenant salvo/,
      readStored: (id) => findListed('/tenants', id),
      mergedFields: { name: 'Depois', responsibleName: 'Bruna' },
    },
    project: {
      create: () => createAndGetId('/projects', { name: 'Antes', type: 'proxy', apiPort: 4001 }),
      toFormPath: (id) => `/projects?editar=${id}`,
      saveTheirs: (id) => update(`/projects/${id}`, { dbPrefix: 'outro' }),
      typedField: ['Nome do Projeto', 'Depois'],
      shownConflict: 'outro',
      successText: /^Projeto salvo/,
      readStored: (id) => findListed('/projects', id),
      mergedFields: { name: 'Depois', dbPrefix: 'outro' },
    },
    service: {
      create: () => createAndGetId('/gateway/admin/services', { name: 'antes', host: 'http://127.0.0.1:4997' }),
      toFormPath: (id) => `/gateway/management?editar=${id}`,
      saveTheirs: (id) => update(`/gateway/admin/services/${id}`, { timeoutSeconds: 17 }),
      typedField: ['Nome do Serviço', 'depois'],
      shownConflict: '17',
      successText: /^Serviço atualizado/,
      readStored: (id) => findListed('/gateway/admin/services', id),
      mergedFields: { name: 'depois', timeoutSeconds: 17 },
    },
    route: {
      create: () =>
        createAndGetId('/gateway/admin/routes', {
          serviceId: service,
          origin: '/estoque/antes',
          destination: '/antes',
          methods: ['GET'],
          permission: 'itens:ler',
        }),
      toFormPath: (id) => `/gateway/management?tab=rotas&editar=${id}`,
      saveTheirs: (id) => update(`/gateway/admin/routes/${id}`, { permission: 'itens:ver' }),
      typedField: ['Destino', '/depois'],
      shownConflict: 'itens:ver',
      successText: /^Rota atualizada/,
      readStored: (id) => findListed('/gateway/admin/routes', id),
      mergedFields: { destination: '/depois', permission: 'itens:ver' },
    },
    key: {
      create: () => createAndGetId('/gateway/admin/keys', { name: 'Antes', permissions: ['*'] }),
      toFormPath: (id) => `/gateway/keys?editar=${id}`,
      saveTheirs: (id) => update(`/gateway/admin/keys/${id}`, { note: 'da Bruna' }),
      typedField: ['Nome', 'Depois'],
      shownConflict: 'da Bruna',
      successText: /^Chave de API atualizada/,
      readStored: (id) => findListed('/gateway/admin/keys', id),
      mergedFields: { name: 'Depois', note: 'da Bruna' },
    },
    rules: {
      create: async () => {
        const id = await createAndGetId('/tenants', { name: 'Regrado', subdomain: 'regrado', project });
        await update(`/tenants/${id}/policy`, { maintenance: { text: 'Antes' } });
        return id;
      },
      toFormPath: (id) => `/tenants/${id}?aba=regras`,
      saveTheirs: (id) => update(`/tenants/${id}/policy`, { branding: { accent: '#222222' } }),
      typedField: ['Texto da página', 'Depois'],
      saveButton: 'Salvar regras',
      shownConflict: '#222222',
      successText: /^Regras salvas/,
      readStored: (id) => stack.request('GET', `/tenants/${id}/policy`),
      mergedFields: { maintenance: { text: 'Depois' }, branding: { accent: '#222222' } },
    },
    'backup plan': {
      create: async () => {
        await update('/backup-plan', { s3, passphrase: 'quatro palavras que ninguém sabe' });
        return '';
      },
      toFormPath: () => '/settings?aba=backup&plano=1',
      saveTheirs: () => update('/backup-plan', { s3: { ...s3, forcePathStyle: false } }),
      typedField: ['Bucket', 'outras'],
      shownConflict: 'Bucket no caminho do endereço',
      successText: /^Plano salvo/,
      readStored: () => stack.request('GET', '/backup-plan'),
      mergedFields: { s3: { bucket: 'outras', forcePathStyle: false } },
    },
    settings: {
      create: async () => '',
      toFormPath: () => '/settings',
      saveTheirs: () => update('/settings', { telegramBotToken: '123:abc' }),
      typedField: ['Chat ID do Telegram', '42'],
      saveButton: 'Salvar Configurações',
      shownConflict: '••••••••', // The dialog masks a token.
      successText: /^Configurações salvas/,
      readStored: () => stack.request('GET', '/settings'),
      mergedFields: { telegramBotToken: '123:abc', telegramChatId: '42' },
    },
  };

  test.each(Object.entries(cases))(
    '%s: the change of the other person is shown, and both changes can be kept',
    async (entity, testCase) => {
      const id = await testCase.create();
      await page.goto(stack.url + testCase.toFormPath(id));
      const form = ['rules', 'settings'].includes(entity) ? page.locator('main') : page.getByRole('dialog');
      await form.getByRole('textbox', { name: testCase.typedField[0], exact: true }).fill(testCase.typedField[1]);
      await testCase.saveTheirs(id);
      await form.getByRole('button', { name: testCase.saveButton ?? 'Salvar', exact: true }).click();
      await conflictDialog().getByText(testCase.shownConflict, { exact: true }).waitFor();
      await button('Manter as minhas').click();
      await expectNotice(page, testCase.successText);
      expect(await testCase.readStored(id)).toMatchObject(testCase.mergedFields);
    },
  );

  test("the other person's values can replace the user's own values in the form", async () => {
    const id = await createAndGetId('/projects', { name: 'Duas', type: 'proxy', apiPort: 4002 });
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

  test('a save by another person that changes no value causes no conflict', async () => {
    const id = await createAndGetId('/tenants', { name: 'Calma', subdomain: 'calma', project });
    await page.goto(`${stack.url}/tenants?editar=${id}`);
    await field('Nome do Tenant').fill('Calma e paz');
    await update(`/tenants/${id}`, { name: 'Calma' });
    await button('Salvar').click();
    await expectNotice(page, /^Tenant salvo/);
    expect(await findListed('/tenants', id)).toMatchObject({ name: 'Calma e paz' });
  });
});
