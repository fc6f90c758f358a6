import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import type { Stack } from '../../scripts/testing/stack';
import { controls } from './support/controls';
import { createHold } from './support/hold';
import { EVERY_VIEW, Inspection, NARROW_AND_WIDE, PHONE, PHONE_WITHOUT_COLORS } from './support/inspection';
import { resolveUrl, SCREENS, SCREENS_WITHOUT_DATA } from './support/screens';

let inspection: Inspection;
let stack: Stack;
let page: Page;
const { field } = controls(() => page);
/** A service that responds with a manifest once `manifestHold` has resolved. */
let service: Server;
let manifestHold: Promise<void> = Promise.resolve();

beforeAll(async () => {
  service = createServer(async (_request, response) => {
    await manifestHold;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([{ method: 'GET', path: '/itens/:id', permission: 'itens:ler', summary: 'Um item' }]));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  inspection = await Inspection.start();
  ({ stack, page } = inspection);
  await createEntities();
});
afterAll(async () => {
  await inspection?.stop();
  service?.closeAllConnections();
  service?.close();
});

const createAndGetId = async (path: string, body: object) => String((await stack.create(path, body))._id);

/** Creates entities of each kind and a contact message, and sends a request through the gateway. */
async function createEntities(): Promise<void> {
  const { port } = service.address() as AddressInfo;
  const project = await createAndGetId('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  const tenant = { name: 'Padaria', project, subdomain: 'padaria', responsibleName: 'Zé' };
  await stack.create('/tenants', tenant);
  await stack.create('/subdomains', {
    subdomain: 'vitrine',
    description: 'Vitrine',
    type: 'static',
    source: 'versions',
  });
  await stack.request('PUT', '/subdomains/vitrine/policy', {
    access: { password: 'abre-te', ips: [], require: 'all' },
    redirects: [{ from: '/velho', to: '/novo', status: 302 }],
  });
  await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
  await stack.create('/subdomains/loja/domains', { host: 'loja.com.br' });
  await stack.create('/admins', { username: 'ana', role: 'viewer' });
  const services = '/gateway/admin/services';
  const estoque = await createAndGetId(services, { name: 'estoque', host: `http://127.0.0.1:${port}` });
  await stack.create(services, { name: 'ausente', host: 'http://127.0.0.1:1' });
  await stack.create('/gateway/admin/routes', {
    serviceId: estoque,
    origin: '/estoque/itens/:id',
    destination: '/itens/:id',
    methods: ['GET'],
    permission: 'itens:ler',
  });
  const { key } = await stack.create('/gateway/admin/keys', { name: 'Aplicativo', permissions: ['*'] });
  await stack.create('/contact', { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá' });
  const edgePort = new URL(stack.url).port;
  const callGateway = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: `api.localhost:${edgePort}`, 'X-API-Key': String(key) };
      get({ port: edgePort, path: '/estoque/itens/1', headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      }).once('error', reject);
    });
  await waitFor('a response through the gateway', async () => (await callGateway()) === 200);
}

const button = (name: string | RegExp) => page.getByRole('button', { name }).first();

const openDialogWith = (name: string | RegExp) => async () => {
  await button(name).click();
  await page.locator('[role$="dialog"]').waitFor();
};
const openKeyDialogWith = (name: RegExp) => async () => {
  await button(/^Aplicativo/).click();
  await openDialogWith(name)();
};
/** Submits a form that is incomplete or invalid, and waits until a field shows its error. */
const submitInvalid = (name: string, container?: 'dialog') => async () => {
  await (container ? page.getByRole(container).getByRole('button', { name }) : button(name)).click();
  await page.locator('[aria-invalid="true"]').first().waitFor();
};
const saveInDialog = submitInvalid('Salvar', 'dialog');

/** Dialogs and states that can be opened on a screen with data. */
const STATES: [state: string, path: string, prepare: () => Promise<unknown>][] = [
  [
    'wizard, second step with errors',
    '/admin',
    async () => {
      await button('Manualmente').click();
      await field('Subdomínio').waitFor();
      // The step fades in even with reduced motion.
      await page.waitForFunction(() => {
        const step = document.querySelector('form')?.parentElement;
        return step && getComputedStyle(step).opacity === '1';
      });
      await submitInvalid('Criar subdomínio')();
    },
  ],
  [
    'overview, expanded',
    '/admin',
    async () => {
      await page.getByText('Visão geral', { exact: true }).click();
      await page.locator('details[open]').waitFor();
    },
  ],
  ['subdomain, edit', '/admin', openDialogWith(/^Editar/)],
  ['subdomain, removal', '/admin', openDialogWith(/^Remover/)],
  ['tenant, create with errors', '/tenants?novo=1', saveInDialog],
  ['tenant, edit', '/tenants', openDialogWith(/^Editar/)],
  ['tenant, domain', '/tenants', openDialogWith(/domínio de/)],
  ['tenant, move', '/tenants', openDialogWith(/^Mover/)],
  [
    'tenant, status of its domain',
    '/tenants',
    async () => {
      const [tenant] = (await stack.request('GET', '/tenants')) as { _id: string }[];
      await stack.request('POST', `/tenants/${tenant?._id}/domain`, { domain: 'padariadoze.com.br' });
      await page.reload();
      await openDialogWith(/^Alterar domínio de/)();
      await page.getByRole('region', { name: 'Situação do domínio' }).waitFor();
    },
  ],
  ['tenant, removal', '/tenants', openDialogWith(/^Remover/)],
  ['project, create with errors', '/projects?novo=1', saveInDialog],
  ['project, edit', '/projects', openDialogWith(/^Editar/)],
  [
    'project, saved by somebody else',
    '/projects',
    async () => {
      const [project] = (await stack.request('GET', '/projects')) as { _id: string; dbPrefix: string }[];
      await openDialogWith(/^Editar/)();
      await field('Nome do Projeto').fill('Meu nome');
      await stack.request('PUT', `/projects/${project?._id}`, { dbPrefix: `${project?.dbPrefix}x` });
      await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  ],
  [
    'project, refused removal',
    '/projects',
    async () => {
      await openDialogWith(/^Remover/)();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
      await page.getByRole('alertdialog').getByRole('alert').waitFor();
    },
  ],
  [
    'project, discard question',
    '/projects?novo=1',
    async () => {
      await field('Nome do Projeto').fill('Rascunho');
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor();
    },
  ],
  [
    'nothing matches',
    '/projects?q=nada',
    async () => {
      await page.getByText('Nada encontrado').waitFor();
    },
  ],
  [
    'site, with a version',
    '/admin/subdomains/vitrine?aba=versoes',
    async () => {
      const folder = join(stack.folder, 'dist');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'index.html'), '<h1>Vitrine</h1>');
      await page.locator('input[type="file"]').first().setInputFiles(folder);
      await page.getByRole('link', { name: 'Abrir prévia da versão 1' }).waitFor();
    },
  ],
  [
    'site, with rules',
    '/admin/subdomains/vitrine?aba=regras',
    async () => {
      await field('De, para e status').waitFor();
    },
  ],
  ['token, create', '/settings?aba=tokens', openDialogWith('Novo token')],
  ['service account, create', '/settings?aba=tokens', openDialogWith('Nova conta de serviço')],
  ['administrator, create', '/settings?aba=administradores', openDialogWith('Novo administrador')],
  [
    'password, asked again',
    '/settings?aba=administradores',
    async () => {
      // In a new session the password is not confirmed yet.
      const token = await stack.createSessionToken();
      await page.evaluate((newToken) => localStorage.setItem('token', newToken), token);
      await page.reload();
      await openDialogWith('Novo administrador')();
      await field('Usuário').fill('x');
      await button('Criar convite').click();
      await page.getByRole('dialog', { name: 'Confirme a sua senha' }).waitFor();
    },
  ],
  ['password, with errors', '/settings?aba=conta', submitInvalid('Alterar senha')],
  [
    'notification',
    '/settings',
    async () => {
      await button('Salvar Configurações').click();
      await page.getByRole('region', { name: 'Notificações' }).getByRole('button').hover();
    },
  ],
  [
    'backup, made',
    '/settings?aba=backup',
    async () => {
      await stack.request('POST', '/backups');
      await page.reload();
      await page.getByRole('listitem').filter({ hasText: 'Verificado' }).waitFor();
    },
  ],
  [
    'backup, plan for a bucket with errors',
    '/settings?aba=backup&plano=1',
    async () => {
      await page.getByRole('radio', { name: 'S3' }).check({ force: true });
      await saveInDialog();
    },
  ],
  ['key, errors', '/gateway/keys?nova=1', submitInvalid('Criar chave')],
  [
    'key, open',
    '/gateway/keys',
    async () => {
      await button(/^Aplicativo/).click();
      await button(/^Editar/).waitFor();
    },
  ],
  ['key, edit', '/gateway/keys', openKeyDialogWith(/^Editar/)],
  ['key, removal', '/gateway/keys', openKeyDialogWith(/^Deletar/)],
  ['key, disabling', '/gateway/keys', openKeyDialogWith(/^Desativar/)],
  ['key, rotation', '/gateway/keys', openKeyDialogWith(/^Trocar chave/)],
  ['keys that may call a route', '/gateway/keys?permissao=itens:ler', async () => button('Mostrar todas').waitFor()],
  [
    'key, last requests',
    '/gateway/keys',
    async () => {
      await openKeyDialogWith(/^Últimas requisições/)();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  ],
  [
    'key, more options with an error',
    '/gateway/keys?nova=1',
    async () => {
      await page.getByText('Mais opções').click();
      await page.getByLabel('Limite de requisições').fill('0');
      await page.getByRole('checkbox').first().check();
      await submitInvalid('Criar chave')();
    },
  ],
  ['service, errors', '/gateway/management', submitInvalid('Adicionar Serviço')],
  ['service, edit', '/gateway/management', openDialogWith(/^Editar/)],
  [
    'service, options with errors',
    '/gateway/management',
    async () => {
      await openDialogWith(/^Editar/)();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Nome do Serviço', exact: true }).fill('outro');
      await page.getByText('Mais opções').click();
      await page.getByLabel('Tempo limite (segundos)').fill('0');
      await saveInDialog();
    },
  ],
  ['service, removal', '/gateway/management', openDialogWith(/^(Remover|Deletar)/)],
  [
    'import, loading',
    '/gateway/management',
    async () => {
      manifestHold = new Promise(() => undefined); // This response never comes.
      await openDialogWith('Importar Rotas estoque')();
      await page.getByText('Buscando manifesto do serviço...').waitFor();
      manifestHold = Promise.resolve();
    },
  ],
  [
    'import, loaded',
    '/gateway/management',
    async () => {
      await openDialogWith('Importar Rotas estoque')();
      await page.getByRole('dialog').getByText('/itens/:id', { exact: true }).waitFor();
    },
  ],
  [
    'import, failed',
    '/gateway/management',
    async () => {
      await openDialogWith('Importar Rotas ausente')();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  ],
  ['route, create with errors', '/gateway/management?tab=rotas&nova=1', saveInDialog],
  ['route, edit', '/gateway/management?tab=rotas', openDialogWith(/^Editar/)],
  [
    'route, tested',
    '/gateway/management?tab=rotas',
    async () => {
      await openDialogWith('Testar rota')();
      await page.getByLabel('Caminho').fill('/estoque/itens/7');
      await page.getByRole('dialog').getByRole('button', { name: 'Testar' }).click();
      await page.getByText('Recusada com 401.').waitFor();
    },
  ],
  ['route, removal', '/gateway/management?tab=rotas', openDialogWith(/^(Remover|Deletar)/)],
  [
    'metrics, table of the history',
    '/gateway/metrics',
    async () => {
      await page.getByText('Ver os números em tabela').click();
    },
  ],
  [
    'palette, without a match',
    '/admin',
    async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('nada disso');
    },
  ],
  [
    'palette',
    '/admin',
    async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  ],
  [
    'key, created',
    '/gateway/keys?nova=1',
    async () => {
      // The form would restore the invalid draft of an earlier test.
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await field('Nome').fill('Outro');
      await page.getByRole('checkbox').first().check();
      await openDialogWith('Criar chave')();
    },
  ],
];

test.each(SCREENS)('axe finds no violation on %s with data', async (screen) => {
  await inspection.open(screen);
  expect(await inspection.inspect(EVERY_VIEW)).toEqual([]);
});

test('axe finds no violation on the menu', async () => {
  await inspection.open('/admin');
  await page.setViewportSize({ width: PHONE, height: 900 });
  await page.getByLabel('Menu', { exact: true }).first().click();
  expect(await inspection.inspect(EVERY_VIEW.filter(([width]) => width === PHONE))).toEqual([]);
});

test.each(STATES)('axe finds no violation in the state: %s', async (_state, path, prepare) => {
  await inspection.open(path);
  await prepare();
  expect(await inspection.inspect(NARROW_AND_WIDE)).toEqual([]);
});

test.each(SCREENS_WITHOUT_DATA)(
  'axe finds no violation on %s while it loads, and after a failed load',
  async (screen) => {
    const { whileHeld, release } = createHold();
    await page.route('**/graphql', async (route) => {
      await whileHeld;
      await route.abort().catch(() => undefined);
    });
    await page.goto(await resolveUrl(screen, stack));
    await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
    await page.getByRole('status', { name: 'Carregando' }).first().waitFor();
    // A loading screen has the same texts as the loaded screen, so their colors are not checked again.
    expect(await inspection.inspect(PHONE_WITHOUT_COLORS)).toEqual([]);
    release();
    await page.getByRole('button', { name: 'Tentar novamente' }).first().waitFor();
    expect(await inspection.inspect(NARROW_AND_WIDE)).toEqual([]);
    await page.unroute('**/graphql');
  },
);

test('axe finds no violation without a network', async () => {
  await inspection.open('/projects');
  await page.context().setOffline(true);
  // The browser sends no event if the machine never had a network, so the test sends it.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByText(/^Você está sem conexão\./).waitFor();
  expect(await inspection.inspect(NARROW_AND_WIDE)).toEqual([]);
  await page.context().setOffline(false);
});
