import { readFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { launch, open } from './browser';
import { ADMINISTRATOR, type Stack, startStack } from './stack';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const THEMES = ['light', 'dark'] as const;
const PHONE = 360;
const WIDTHS = [PHONE, 768, 1280];
const SCREENS = [
  '/admin',
  '/tenants',
  '/projects',
  '/settings',
  '/gateway/keys',
  '/gateway/management',
  '/gateway/management?tab=rotas',
  '/gateway/metrics',
];

let stack: Stack;
let browser: Browser;
let page: Page;
let token = '';
/** Answers a manifest, once `answering` lets it. */
let service: Server;
let answering: Promise<void> = Promise.resolve();

beforeAll(async () => {
  stack = await startStack();
  browser = await launch();
  const answer = await fetch(`${stack.url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ADMINISTRATOR),
  });
  ({ token } = await answer.json());
  service = createServer(async (_request, response) => {
    await answering;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([{ method: 'GET', path: '/itens/:id', permission: 'itens:ler', summary: 'Um item' }]));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  ({ page } = await open(browser, stack, { token }));
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  service?.closeAllConnections();
  service?.close();
});

async function violations(): Promise<string[]> {
  return page.evaluate(async (values) => {
    const { violations: found } = await Reflect.get(window, 'axe').run({ runOnly: { type: 'tag', values } });
    const faults = found.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );
    const sideways = document.documentElement.scrollWidth - window.innerWidth;
    return sideways > 0 ? [...faults, `${sideways} px wider than the window`] : faults;
  }, RULES);
}

/** The theme has switched, and the page stood still for some frames. */
const settled = () =>
  page.evaluate(async () => {
    const shape = () =>
      `${document.documentElement.scrollHeight} ${window.scrollY} ${document.querySelectorAll('*').length}`;
    let last = '';
    for (let still = 0; still < 4; ) {
      await new Promise(requestAnimationFrame);
      const isSame = shape() === last && !document.documentElement.hasAttribute('data-switching');
      still = isSame ? still + 1 : 0;
      last = shape();
    }
  });

/** What axe finds on what stands on the page, in both themes at all widths. */
async function inspect(state: string, widths = WIDTHS): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(axe);
  for (const theme of THEMES) {
    // As another tab would change it: the button lies behind a dialog.
    await page.evaluate((newValue) => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue }));
    }, theme);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await settled();
      let faults = await violations();
      if (faults.length > 0) {
        // axe reads a page in pieces: what moved meanwhile can look like a fault, a fault stays one.
        await settled();
        faults = await violations();
      }
      found.push(...faults.map((text) => `${state} ${theme} ${width}: ${text}`));
    }
  }
  return found;
}

const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

async function visit(path: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(stack.url + path);
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function id(path: string, body: object): Promise<string> {
  const made = await stack.asAdministrator(path, body);
  return typeof made === 'object' && made !== null && '_id' in made ? String(made._id) : '';
}

/** One of each, a request through the gateway, and a contact message. */
async function fill(): Promise<void> {
  const address = service.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const project = await id('/api/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  const tenant = { name: 'Padaria', project, subdomain: 'padaria', responsibleName: 'Zé' };
  await stack.asAdministrator('/api/tenants', tenant);
  await stack.asAdministrator('/api/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
  const services = '/api/gateway/admin/services';
  const estoque = await id(services, { name: 'estoque', host: `http://127.0.0.1:${port}` });
  await stack.asAdministrator(services, { name: 'ausente', host: 'http://127.0.0.1:1' });
  await stack.asAdministrator('/api/gateway/admin/routes', {
    serviceId: estoque,
    origin: '/estoque/itens/:id',
    destination: '/itens/:id',
    methods: ['GET'],
    permission: 'itens:ler',
  });
  const created = await stack.asAdministrator('/api/gateway/admin/keys', { name: 'Aplicativo', permissions: ['*'] });
  const key = typeof created === 'object' && created !== null && 'key' in created ? String(created.key) : '';
  await stack.asAdministrator('/api/contact', { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá' });
  const edge = new URL(stack.url).port;
  const call = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: `api.localhost:${edge}`, 'X-API-Key': key };
      get({ port: edge, path: '/estoque/itens/1', headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      }).once('error', reject);
    });
  while ((await call()) !== 200);
}

test('axe finds nothing on empty screens, in both themes at all widths', async () => {
  const found: string[] = [];
  for (const screen of SCREENS) {
    await visit(screen);
    found.push(...(await inspect(`${screen} empty`)));
  }
  expect(found).toEqual([]);
}, 240_000);

test('nor on screens that load, that failed, or that are offline', async () => {
  const found: string[] = [];
  for (const screen of SCREENS) {
    let fail = () => {};
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route('**/graphql', async (route) => {
      await failing;
      await route.abort().catch(() => undefined);
    });
    await page.goto(stack.url + screen);
    await page.getByRole('status', { name: 'Carregando' }).first().waitFor();
    found.push(...(await inspect(`${screen} loading`)));
    fail();
    await button('Tentar novamente').waitFor();
    found.push(...(await inspect(`${screen} failed`)));
    await page.unroute('**/graphql');
  }
  await visit('/projects');
  await page.context().setOffline(true);
  await page.getByText(/^Você está sem conexão\./).waitFor();
  found.push(...(await inspect('offline')));
  await page.context().setOffline(false);
  expect(found).toEqual([]);
}, 240_000);

const press = (name: string | RegExp) => async () => {
  await button(name).click();
  await page.locator('[role$="dialog"]').waitFor();
};
const pressInKey = (name: RegExp) => async () => {
  await button(/^Aplicativo/).click();
  await press(name)();
};
/** Sends a form as it stands: its required fields say what they want. */
const send = (name: string, container?: 'dialog') => async () => {
  await (container ? page.getByRole(container).getByRole('button', { name }) : button(name)).click();
  await page.locator('[aria-invalid="true"]').first().waitFor();
};
const saveInDialog = send('Salvar', 'dialog');

/** What can be opened or shown on a screen with something in it. */
const STATES: [state: string, path: string, prepare: () => Promise<unknown>][] = [
  [
    'wizard, second step with errors',
    '/admin',
    async () => {
      await button('Manualmente').click();
      await field('Subdomínio').waitFor();
      // The step fades in, also for those who want no motion.
      await page.waitForFunction(() => {
        const step = document.querySelector('form')?.parentElement;
        return step && getComputedStyle(step).opacity === '1';
      });
      await send('Criar Subdomínio')();
    },
  ],
  ['subdomain, edit', '/admin', press(/^Editar/)],
  ['subdomain, removal', '/admin', press(/^Remover/)],
  ['tenant, create with errors', '/tenants?novo=1', saveInDialog],
  ['tenant, edit', '/tenants', press(/^Editar/)],
  ['tenant, domain', '/tenants', press(/domínio de/)],
  ['tenant, removal', '/tenants', press(/^Remover/)],
  ['project, create with errors', '/projects?novo=1', saveInDialog],
  ['project, edit', '/projects', press(/^Editar/)],
  [
    'project, refused removal',
    '/projects',
    async () => {
      await press(/^Remover/)();
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
  ['password, with errors', '/settings', send('Alterar Senha')],
  [
    'notification',
    '/settings',
    async () => {
      await button('Salvar Configurações').click();
      await page.getByRole('region', { name: 'Notificações' }).getByRole('button').hover();
    },
  ],
  ['key, errors', '/gateway/keys', send('Criar Chave')],
  [
    'key, open',
    '/gateway/keys',
    async () => {
      await button(/^Aplicativo/).click();
      await button(/^Editar/).waitFor();
    },
  ],
  ['key, edit', '/gateway/keys', pressInKey(/^Editar/)],
  ['key, removal', '/gateway/keys', pressInKey(/^Deletar/)],
  ['service, errors', '/gateway/management', send('Adicionar Serviço')],
  ['service, edit', '/gateway/management', press(/^Editar/)],
  ['service, removal', '/gateway/management', press(/^(Remover|Deletar)/)],
  [
    'import, loading',
    '/gateway/management',
    async () => {
      answering = new Promise(() => undefined);
      await press('Importar Rotas estoque')();
      await page.getByText('Buscando manifesto do serviço...').waitFor();
      answering = Promise.resolve();
    },
  ],
  [
    'import, loaded',
    '/gateway/management',
    async () => {
      await press('Importar Rotas estoque')();
      await page.getByRole('dialog').getByText('/itens/:id').waitFor();
    },
  ],
  [
    'import, failed',
    '/gateway/management',
    async () => {
      await press('Importar Rotas ausente')();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  ],
  ['route, create with errors', '/gateway/management?tab=rotas&nova=1', saveInDialog],
  ['route, edit', '/gateway/management?tab=rotas', press(/^Editar/)],
  ['route, removal', '/gateway/management?tab=rotas', press(/^(Remover|Deletar)/)],
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
    '/gateway/keys',
    async () => {
      await field('Nome').fill('Outro');
      await page.getByRole('checkbox').first().check();
      await press('Criar Chave')();
    },
  ],
];

describe('with something in each list', () => {
  beforeAll(fill, 60_000);

  test('nor on the screens', async () => {
    const found: string[] = [];
    for (const screen of SCREENS) {
      await visit(screen);
      found.push(...(await inspect(`${screen} filled`)));
    }
    await page.setViewportSize({ width: PHONE, height: 900 });
    await page.getByLabel('Menu', { exact: true }).first().click();
    found.push(...(await inspect('menu', [PHONE])));
    expect(found).toEqual([]);
  }, 240_000);

  test('nor on dialogs, forms with errors, and what a screen shows on demand', async () => {
    const found: string[] = [];
    for (const [state, path, prepare] of STATES) {
      await visit(path);
      await prepare();
      found.push(...(await inspect(state)));
    }
    expect(found).toEqual([]);
  }, 240_000);
});
