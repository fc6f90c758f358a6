import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { Stack } from '../../scripts/testing/stack';
import { launch, logIn, notified, open } from './browser';

let stack: Stack;
let browser: Browser;
/** Of one administrator, for all tests but those about the session: scripts are loaded once. */
let context: BrowserContext;
let page: Page;
let token = '';

beforeAll(async () => {
  stack = await Stack.start();
  token = await stack.logIn();
  await stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  const service = await stack.create('/gateway/admin/services', { name: 'estoque', host: 'http://127.0.0.1:4999' });
  await stack.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/estoque/itens',
    destination: '/itens',
    methods: ['GET'],
    permission: 'itens:ler',
  });
  browser = await launch();
  context = (await open(browser, stack, { token })).page.context();
});
beforeEach(async () => {
  page = await context.newPage();
});
afterEach(async () => {
  if (page.context() === context) await page.close();
  else await page.context().close();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** As somebody else, so that a logout ends no other test's session. */
async function withOwnSession(): Promise<void> {
  await page.close();
  ({ page } = await open(browser, stack));
  await logIn(page, stack.url);
}
const go = (path: string) => page.goto(stack.url + path);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const operationOf = (route: Route): unknown => route.request().postDataJSON()?.operationName;

/** Calls of this operation fail from now on, as with the core away; the returned function ends that. */
async function failing(operation: string): Promise<() => Promise<void>> {
  const errors = [{ message: 'Serviço indisponível.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }];
  const fail = (route: Route) =>
    operationOf(route) === operation ? route.fulfill({ json: { data: null, errors } }) : route.fallback();
  await page.route('**/graphql', fail);
  return () => page.unroute('**/graphql', fail);
}

/** Calls of this operation wait from now on. */
async function holding(operation: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (operationOf(route) === operation) {
      ask();
      await released;
    }
    await route.fallback();
  });
  return { asked, release };
}

describe('the key that is shown once', () => {
  async function create(name: string): Promise<string> {
    await go('/projects');
    await page.getByRole('link', { name: 'API Keys' }).first().click();
    await field('Nome').fill(name);
    await page.getByRole('checkbox').first().check();
    await button('Criar Chave').click();
    return page.getByLabel(`Chave de ${name}`).inputValue();
  }

  test('stays through Back and through a session that ends', async () => {
    const secret = await create('Volta');
    await page.goBack();
    await page.waitForURL('**/projects');
    expect(await page.getByLabel('Chave de Volta').inputValue()).toBe(secret);
    // Another tab logs out.
    const other = await page.context().newPage();
    await other.goto(`${stack.url}/404`);
    await other.evaluate(() => localStorage.removeItem('token'));
    await page.waitForURL('**/login');
    expect(await page.getByLabel('Chave de Volta').inputValue()).toBe(secret);
    await button('Já guardei a chave').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await other.close();
  });

  test('is not lost by a reload unasked, and is copied by a button with a word', async () => {
    await create('Recarga');
    await page.getByRole('dialog').getByText('Copiar', { exact: true }).waitFor();
    const asked = page.waitForEvent('dialog');
    // Playwright's own would wait for a page that does not come.
    await page.evaluate(() => void setTimeout(() => location.reload()));
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.getByLabel('Chave de Recarga').waitFor();
  });
});

describe('one call that fails', () => {
  test('leaves "Novo Tenant" alive: the dialog says so and goes on', async () => {
    const recover = await failing('TenantOptions');
    await go('/tenants');
    await button('Novo Tenant').click();
    const dialog = page.getByRole('dialog', { name: 'Criar Novo Tenant' });
    await dialog.getByRole('alert').getByText('Erro ao carregar dados', { exact: true }).waitFor();
    await recover();
    await dialog.getByRole('button', { name: 'Tentar novamente' }).click();
    await dialog.getByLabel('Projeto', { exact: true }).selectOption({ label: 'CRM' });
  });

  test('of the permissions is told in the key form', async () => {
    const recover = await failing('RoutePermissions');
    await go('/gateway/keys');
    await page.getByText('Falha ao carregar as permissões das rotas.', { exact: true }).waitFor();
    await recover();
    await button('Tentar novamente').click();
    await page.getByRole('checkbox', { name: 'itens:ler' }).waitFor();
    expect(await page.getByText('Falha ao carregar as permissões das rotas.').count()).toBe(0);
  });

  test('of the routes is told in the import dialog', async () => {
    await page.route('**/graphql', (asked) => {
      const route = {
        method: 'GET',
        path: '/novos',
        permission: 'novos:ler',
        suggestedPermission: null,
        summary: null,
      };
      const manifest = { routes: [{ ...route, __typename: 'ManifestRoute' }], skipped: [], __typename: 'Manifest' };
      return operationOf(asked) === 'ServiceManifest'
        ? asked.fulfill({ json: { data: { manifest } } })
        : asked.fallback();
    });
    const recover = await failing('GatewayRoutes');
    await go('/gateway/management');
    await button('Importar Rotas estoque').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Falha ao carregar as rotas.', { exact: true }).waitFor();
    await recover();
    await dialog.getByRole('button', { name: 'Tentar novamente' }).click();
    await dialog.getByText('/novos').waitFor();
    await dialog.getByText('Permissão', { exact: true }).waitFor();
  });

  test('leaves "Novo Projeto" where it is, and the outage stands beside the sentence', async () => {
    await failing('Projects');
    await go('/projects');
    const alert = page.locator('main').getByRole('alert');
    await alert.getByText('Erro ao carregar projetos', { exact: true }).waitFor();
    await alert.getByText('Serviço indisponível.', { exact: true }).waitFor();
    await button('Novo Projeto').click();
    await page.getByRole('dialog', { name: 'Criar Novo Projeto' }).waitFor();
  });
});

test('a suggestion that comes late changes nothing of another screen', async () => {
  const { asked, release } = await holding('SuggestSubdomain');
  await go('/admin');
  await field('O que este serviço faz?').fill('Agenda de consultas');
  await button('Gerar com IA').click();
  await asked;
  await page.getByRole('link', { name: 'Projetos' }).first().click();
  await button('Descartar').click();
  await page.waitForURL('**/projects');
  await button('Editar CRM').click();
  await page.getByRole('dialog').waitFor();
  const address = page.url();
  const answered = page.waitForResponse(
    (response) => response.request().postData()?.includes('SuggestSubdomain') ?? false,
  );
  release();
  await (await answered).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(page.url()).toBe(address);
  expect(await page.evaluate(() => window.history.state?.usr?.step)).toBeUndefined();
});

describe('session', () => {
  test('"Sair" leads to the login from everywhere; whoever is logged in sees no login', async () => {
    await withOwnSession();
    await go('/login');
    await page.waitForURL('**/admin');
    await go('/contact');
    await button('Sair').click();
    await page.waitForURL('**/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });

  test('a browser that refuses storage shows every screen, and logs in', async () => {
    await page.close();
    ({ page } = await open(browser, stack));
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    });
    await go('/contact');
    await button('Enviar Mensagem').click();
    await page.getByRole('alert').getByText('Por favor, preencha todos os campos').waitFor();
    await go('/admin');
    await page.waitForURL('**/login');
    await logIn(page, stack.url);
    await button('Alternar tema claro e escuro').click();
    await page.getByRole('link', { name: 'Projetos' }).first().click();
    await button('Editar CRM').click();
    await field('Nome do Projeto').fill('CRM 2');
    await page.getByRole('dialog', { name: 'Editar Projeto' }).waitFor();
  });

  test('drafts go with a logout', async () => {
    await withOwnSession();
    await field('O que este serviço faz?').fill('Segredo do cliente');
    await page.waitForFunction(
      () => sessionStorage.length > 0 && JSON.stringify({ ...sessionStorage }).includes('Segredo'),
    );
    await button('Sair').click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Segredo');
  });

  test('a draft that comes back says so, and hides nothing that was saved since', async () => {
    const { _id } = await stack.create('/projects', { name: 'Antigo', dbPrefix: 'a', type: 'proxy', apiPort: 4100 });
    await go('/projects');
    await button('Editar Antigo').click();
    await field('Nome do Projeto').fill('Digitado');
    await stack.call('PUT', `/projects/${_id}`, { name: 'Antigo', dbPrefix: 'b', type: 'proxy', apiPort: 4200 });
    page.once('dialog', (question) => void question.accept());
    await page.reload();
    await page.getByRole('dialog').getByText('O que você tinha digitado está de volta.').waitFor();
    expect(await field('Nome do Projeto').inputValue()).toBe('Digitado');
    expect(await page.getByLabel('Porta do Serviço (Backend)').inputValue()).toBe('4200');
    await button('Descartar rascunho').click();
    expect(await field('Nome do Projeto').inputValue()).toBe('Antigo');
  });
});

test('a navigation puts the focus on the new heading and says where one is', async () => {
  await go('/projects');
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const [link, heading] of [
    ['Tenants', 'Gerenciador de Tenants'],
    ['Métricas', 'Métricas de Uso das Chaves de API'],
  ] as const) {
    await page.getByRole('link', { name: link }).first().click();
    await page.waitForFunction(
      (wanted) => document.activeElement?.tagName === 'H1' && document.activeElement.textContent === wanted,
      heading,
    );
    await page.getByRole('status').getByText(heading).waitFor({ state: 'attached' });
  }
});

test('a dialog that was closed leaves no step of Back that does nothing', async () => {
  await go('/tenants');
  await page.getByRole('link', { name: 'Projetos' }).first().click();
  for (const open of ['Novo Projeto', 'Editar CRM', 'Remover CRM']) {
    await button(open).click();
    await button('Cancelar').click();
    await page.waitForFunction(() => window.location.search === '');
    await page.locator('[role$="dialog"]').waitFor({ state: 'detached' });
  }
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe('/tenants');
});

describe('lists', () => {
  beforeAll(async () => {
    // The oldest, behind more than a page of others that contain its name.
    await stack.create('/subdomains', { subdomain: 'a', description: 'O primeiro', type: 'proxy', port: 4000 });
    const others = Array.from({ length: 105 }, (_, index) => ({ subdomain: `a${index}`, description: 'x' }));
    await Promise.all(others.map((one) => stack.create('/subdomains', { ...one, type: 'proxy', port: 4000 })));
  });

  test('clearing a search shows no empty state while the rows come', async () => {
    await go('/admin?q=zzz');
    await page.getByText('Nada encontrado para “zzz”.').waitFor();
    const { asked, release } = await holding('Subdomains');
    await button('Limpar busca').last().click();
    await asked;
    expect(await page.getByText('Nenhum subdomínio encontrado.').count()).toBe(0);
    release();
    await page.getByText('15 de 106 carregados').waitFor();
  });

  test('an address that edits a name opens it, whatever else contains that name', async () => {
    await go('/admin?editar=a');
    await page.getByRole('dialog', { name: 'Editar Subdomínio' }).waitFor();
    expect(await field('Subdomínio').last().inputValue()).toBe('a');
  });

  test('a renamed project moves to its place', async () => {
    await stack.create('/projects', { name: 'Abelha', dbPrefix: '', type: 'proxy', apiPort: 4300 });
    await go('/projects');
    await button('Editar Abelha').click();
    await field('Nome do Projeto').fill('Zebra');
    await button('Salvar').click();
    await page.getByRole('row').last().getByText('Zebra').waitFor();
  });

  test('services show the date of their creation', async () => {
    await go('/gateway/management');
    await page
      .getByRole('row', { name: /estoque/ })
      .getByText(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d$/)
      .waitFor();
  });

  test('messages go on loading when one arrives in between', async () => {
    const send = (index: number) =>
      fetch(`${stack.coreUrl}/api/contact`, {
        method: 'POST',
        // One sender may not send so many.
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${index}` },
        body: JSON.stringify({ name: `Pessoa ${index}`, email: 'p@example.com', message: 'Olá' }),
      });
    for (let index = 0; index < 32; index += 1) await send(index);
    await go('/settings?aba=mensagens');
    await page.getByText('15 de 32 carregadas').waitFor();
    await send(40);
    const more = button('Carregar mais');
    await more.click();
    await page.getByText('30 de 33 carregadas').waitFor();
    await more.click();
    await page.getByText('Pessoa 0', { exact: true }).waitFor();
    expect(await more.count()).toBe(0);
    await page.getByText('Sem aviso: nenhum canal configurado').first().waitFor();
  });
});

test('an empty domain is told as a notification, too', async () => {
  const [project] = (await stack.call('GET', '/projects')) as { _id: string }[];
  await stack.create('/tenants', { name: 'Padaria', project: project?._id, subdomain: 'padaria', dbName: 'padaria' });
  await go('/tenants');
  await button('Adicionar domínio de Padaria').click();
  await button('Salvar e Configurar').click();
  await notified(page, 'O campo de domínio não pode estar vazio.');
});

test('/favicon.ico is an icon', async () => {
  const answer = await fetch(`${stack.url}/favicon.ico`);
  expect(answer.status).toBe(200);
  expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
});
