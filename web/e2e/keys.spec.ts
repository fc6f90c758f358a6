import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { expectCopied, expectNotice, waitForDialogFocus, waitForFocus, watchClipboard } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

const runFile = promisify(execFile);

let page: Page;
const { button, field } = controls(() => page);
let service: RunningServer;
let serviceId = '';

const app = startConsole({
  failsOnPageErrors: true,
  setUp: async (stack) => {
    service = await listen((request, response) => response.end(`pediu ${request.url}`));
    const { _id } = await stack.create('/gateway/admin/services', { name: 'estoque', host: service.url });
    serviceId = String(_id);
    const routes = [{ method: 'GET', path: '/itens/:id', permission: 'itens:ler' }];
    await stack.create('/gateway/admin/routes/import', { serviceId, routes });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
/** Each test begins with two keys. */
beforeEach(async () => {
  await app.stack.removeAll('/gateway/admin/keys');
  await app.stack.create('/gateway/admin/keys', { name: 'Só itens', permissions: ['itens:*'] });
  await app.stack.create('/gateway/admin/keys', { name: 'Só pedidos', permissions: ['pedidos:ler'] });
});
afterAll(() => service?.stop());

const openPath = (path: string) => page.goto(app.stack.url + path);
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const readShownCommand = () => page.getByRole('dialog').locator('pre').textContent();
/** Runs a curl command. @returns the body and the status of the response */
const runCommand = async (commandLine: string | null) =>
  (await runFile('sh', ['-c', `${commandLine} -s -w ' %{http_code}'`])).stdout;
/** Calls the route with a key. @returns the body and the status of the response */
const callRoute = (key: unknown) =>
  runCommand(`curl 'http://api.localhost:${app.stack.port}/estoque/itens/1' -H 'X-API-Key: ${key}'`);
const waitForKey = (key: unknown) =>
  waitFor('the edge to know the key', async () => (await callRoute(key)) === 'pediu /itens/1 200');
const readWidth = async (role: 'dialog' | 'alertdialog') => (await page.getByRole(role).boundingBox())?.width;
const closeDialog = async () => {
  await button('Já guardei a chave').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

test('a key is created with expiry, limit and note, and the shown curl command works unchanged', async () => {
  await openPath('/gateway/keys?nova=1');
  await field('Nome').fill('Parceiro');
  await page.getByRole('checkbox', { name: 'itens:ler' }).check();
  await page.getByText('Mais opções').click();
  await page.getByLabel('Limite de requisições').fill('0');
  await field('IPs permitidos').fill('203.0.113.10, 203.0.113.300');
  await button('Criar chave').click();
  await page.getByText('Informe de 1 a 1.000.000 requisições.').waitFor();
  await page.getByText('Informe endereços IP ou blocos CIDR, como 203.0.113.10 ou 10.0.0.0/8.').waitFor();
  await field('IPs permitidos').fill('');
  await page.getByLabel('Limite de requisições').fill('2');
  await page.getByLabel('Período').selectOption('por dia');
  // The field expects the local time of the page, which is UTC-3. The key is valid for three and a half days.
  const validUntil = new Date(Date.now() + 3.5 * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 16);
  await page.getByLabel('Válida até').fill(validUntil);
  await page.getByLabel('Observação').fill('a'.repeat(501));
  await button('Criar chave').click();
  await page.getByText('A observação pode ter no máximo 500 caracteres.').waitFor();
  await page.getByLabel('Observação').fill('Contrato 42');
  await button('Criar chave').click();
  const secret = await page.getByLabel('Chave de Parceiro').inputValue();
  await page.getByText('a chave vai no cabeçalho X-API-Key').waitFor();
  const header = page.getByText('X-API-Key', { exact: true }); // A name that must stay on one line.
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await header.evaluate((element) => element.getClientRects().length)]).toEqual([width, 1]);
  }
  const commandLine = await readShownCommand();
  const url = `http://api.localhost:${app.stack.port}/estoque/itens/1`;
  expect(commandLine).toBe(`curl '${url}' \\\n  -H 'X-API-Key: ${secret}'`);
  await button('Copiar comando').click();
  await expectCopied(page, commandLine ?? '');
  // The shown command runs unchanged first, and later with an option that prints the status.
  await waitFor(
    'the edge to know the key',
    async () => (await runFile('sh', ['-c', commandLine ?? ''])).stdout === 'pediu /itens/1',
  );
  expect(await runCommand(commandLine)).toBe('pediu /itens/1 200');
  expect(await runCommand(commandLine)).toMatch(/limite de requisições.* 429$/);
  await closeDialog();
  expect(await page.content()).not.toContain(secret);

  await row('Parceiro').getByText('expira em 3 dias').waitFor();
  await row('Parceiro')
    .getByText(`${secret.slice(0, 12)}…`)
    .waitFor();
  await button(/^Parceiro/).click();
  await page.getByText('Contrato 42').waitFor();
  await page.getByText('2 requisições por dia').waitFor();
});

/** Locates the drawer with the latest requests of a key or route. */
const drawer = (name: string) => page.getByRole('dialog', { name });
const listedRequest = (name: string, text: string) => drawer(name).getByRole('listitem').filter({ hasText: text });

/** Creates a key with a limit of one request, and sends two requests. The second request is refused. */
async function exceedLimit(name: string): Promise<void> {
  const rateLimit = { requests: 1, seconds: 86_400 };
  const { key } = await app.stack.create('/gateway/admin/keys', { name, permissions: ['itens:*'], rateLimit });
  await waitForKey(key); // This sends the first request.
  expect(await callRoute(key)).toMatch(/ 429$/);
}

test('the latest requests of a key show a refusal with its reason', async () => {
  await exceedLimit('Limitada');
  await openPath('/gateway/keys');
  await button(/^Limitada/).click();
  await button('Últimas requisições Limitada').click();
  const name = 'Últimas requisições de Limitada';
  await listedRequest(name, 'Limite da chave atingido').first().getByText('429').waitFor();
  await listedRequest(name, '/estoque/itens/1').filter({ hasText: '200' }).first().getByText('127.0.0.1').waitFor();
  const nextCopiedText = await watchClipboard(page);
  await listedRequest(name, '429')
    .first()
    .getByRole('button', { name: /^Copiar o id da requisição/ })
    .click();
  expect(await nextCopiedText()).toMatch(/^[\w-]{16,}$/);
  await drawer(name).getByLabel('Mostrar', { exact: true }).selectOption('Só as recusadas');
  await drawer(name).getByText('200', { exact: true }).first().waitFor({ state: 'detached' });
  await drawer(name).getByLabel('Mostrar', { exact: true }).selectOption('Erros do servidor (5xx)');
  await drawer(name).getByText('Nenhuma requisição assim entre as guardadas.').waitFor();

  await page.reload();
  await listedRequest(name, '429').first().waitFor();
  await waitForDialogFocus(page);
  await page.keyboard.press('Escape');
  await drawer(name).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test('an expired key is refused, and the drawer of its route shows refusals live until `Parar` is pressed', async () => {
  const expiresAt = new Date(Date.now() + 3_000).toISOString();
  const { key } = await app.stack.create('/gateway/admin/keys', {
    name: 'Vencida',
    permissions: ['itens:*'],
    expiresAt,
  });
  const callGateway = () =>
    runCommand(`curl 'http://api.localhost:${app.stack.port}/estoque/itens/7' -H 'X-API-Key: ${key}'`);
  await openPath('/gateway/management?tab=rotas');
  await button('Requisições /estoque/itens/:id').click();
  const name = 'Últimas requisições de /estoque/itens/:id';
  await drawer(name).getByText('Ao vivo').waitFor();
  await waitFor('the key has expired', async () => /expirou.* 401$/.test(await callGateway()));
  await listedRequest(name, 'Chave expirada').first().getByText('/estoque/itens/7').waitFor();
  await drawer(name).getByRole('button', { name: 'Parar' }).click();
  await drawer(name)
    .getByText(/^Parado desde/)
    .waitFor();
  await listedRequest(name, 'Chave expirada').first().getByRole('link', { name: 'Vencida' }).click();
  await page.getByRole('heading', { name: 'API Keys' }).waitFor();
  await row('Vencida').getByText('Expirada').waitFor();
  await row('Só itens').waitFor({ state: 'detached' });
  await page.goBack();
  await drawer(name).waitFor();
  await page.goBack();
  await drawer(name).waitFor({ state: 'detached' });
});

test('a route links to the keys that may call it, and a service to its routes', async () => {
  await openPath('/gateway/management');
  await button('Rotas estoque').click();
  expect(await page.getByLabel('Serviço', { exact: true }).inputValue()).toBe(serviceId);
  await page
    .getByRole('row')
    .filter({ hasText: '/estoque/itens/:id' })
    .getByRole('link', { name: 'itens:ler' })
    .click();
  await page.getByText('Chaves que podem chamar rotas de itens:ler').waitFor();
  await row('Só itens').waitFor();
  expect(await row('Só pedidos').count()).toBe(0);
  await button('Mostrar todas').click();
  await row('Só pedidos').waitFor();
  await page.getByText('Chaves que podem chamar rotas de itens:ler').waitFor({ state: 'detached' });
  await openPath('/gateway/keys?permissao=outra:coisa');
  await page.getByText('Nenhuma chave pode chamar rotas de outra:coisa.').waitFor();
});

test('the list of keys begins high on the page, and a button opens the form of a new key above the list', async () => {
  const readListTop = async () => (await page.getByRole('list', { name: 'Chaves existentes' }).boundingBox())?.y;
  for (const [width, maxTop] of [
    [1280, 420],
    [360, 560],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await openPath('/gateway/keys');
    await row('Só itens').waitFor();
    expect(await readListTop()).toBeLessThan(maxTop);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await button('Nova chave').click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
  await page.getByRole('checkbox', { name: '* Acesso total' }).waitFor();
  await button('Cancelar').click();
  await field('Nome').waitFor({ state: 'detached' });
});

test('on a wide screen the keys, which have no column headers, are sorted with a select', async () => {
  await openPath('/gateway/keys');
  const names = row('Só').getByText(/^Só /);
  await waitFor('the newest key first', async () => (await names.allTextContents())[0] === 'Só pedidos');
  await page.getByRole('combobox', { name: 'Ordenar por' }).selectOption('Nome, crescente');
  await waitFor('the order of the names', async () => (await names.allTextContents())[0] === 'Só itens');
});

test('a key is rotated, and the previous secret stays valid for the chosen time', async () => {
  const { key } = await app.stack.create('/gateway/admin/keys', { name: 'Girada', permissions: ['*'] });
  const url = `'http://api.localhost:${app.stack.port}/estoque/itens/1'`;
  const requestWithKey = (secret: unknown) => runCommand(`curl ${url} -H 'X-API-Key: ${secret}'`);
  await waitFor('the edge to know the key', async () => (await requestWithKey(key)).endsWith('200'));
  await openPath('/gateway/keys');
  await button(/^Girada/).click();
  await button('Trocar chave Girada').click();
  const dialog = page.getByRole('dialog', { name: 'Trocar chave de API' });
  await dialog.getByRole('radio', { name: '1 hora' }).check();
  await dialog.getByRole('button', { name: 'Trocar chave' }).click();
  await expectNotice(page, 'Chave de API trocada com sucesso!');
  await page.getByRole('dialog', { name: 'Chave de API trocada' }).waitFor();
  const secondSecret = await page.getByLabel('Chave de Girada').inputValue();
  expect(secondSecret).not.toBe(key);
  await closeDialog();
  await row('Girada').getByText('Trocando').waitFor();
  await waitFor('the edge to know the key', async () => (await requestWithKey(secondSecret)).endsWith('200'));
  expect(await requestWithKey(key)).toMatch(/200$/);

  await button('Trocar chave Girada').click();
  await page.getByRole('radio', { name: 'Não: para agora' }).check();
  await dialog.getByRole('button', { name: 'Trocar chave' }).click();
  await page.getByLabel('Chave de Girada').waitFor();
  await closeDialog();
  await waitFor('the edge to refuse the previous secret', async () =>
    (await requestWithKey(secondSecret)).endsWith('401'),
  );
});

test('a key is disabled after a confirmation, found by its status, and enabled again', async () => {
  await app.stack.create('/gateway/admin/keys', { name: 'Desligada', permissions: ['*'] });
  await openPath('/gateway/keys');
  await button(/^Desligada/).click();
  await button('Desativar Desligada').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Desativar' }).click();
  await expectNotice(page, 'Chave de API desativada com sucesso!');
  await row('Desligada').getByText('Desativada').waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Desativada' });
  await row('Só itens').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('filtro')).toBe('disabled');
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Trocando' });
  await page.getByText('Nada encontrado com este filtro.').waitFor();
  await button('Limpar filtro').click();
  await button(/^Desligada/).click();
  await button('Ativar Desligada').click();
  await expectNotice(page, 'Chave de API ativada com sucesso!');
  await row('Desligada').getByText('Ativa', { exact: true }).waitFor();
});

describe('a service with 205 routes', () => {
  let catalogId: unknown;
  beforeAll(async () => {
    ({ _id: catalogId } = await app.stack.create('/gateway/admin/services', {
      name: 'catalogo',
      host: 'http://127.0.0.1:4998',
    }));
    const routes = Array.from({ length: 205 }, (_, index) => ({
      method: 'GET',
      path: `/rota-${index}`,
      permission: `recurso${index % 50}:acao${index}`,
    }));
    await app.stack.create('/gateway/admin/routes/import', { serviceId: catalogId, routes });
  });
  afterAll(() => app.stack.request('DELETE', `/gateway/admin/services/${catalogId}`));

  test('its permissions are in a collapsed group, in which a search finds one of them', async () => {
    await openPath('/gateway/keys?nova=1');
    const list = page.getByRole('group', { name: 'Permissões', exact: true });
    await list
      .getByRole('button', { name: /^catalogo/ })
      .getByText('0 de 205')
      .waitFor();
    expect(await list.getByRole('checkbox').count()).toBe(1);
    await list.getByRole('button', { name: /^catalogo/ }).click();
    expect((await list.boundingBox())?.height).toBeLessThan(400);
    await page.getByRole('searchbox', { name: 'Buscar permissões' }).fill('acao17');
    await list.getByRole('checkbox', { name: 'recurso17:acao17', exact: true }).check();
    await page.getByRole('searchbox', { name: 'Buscar permissões' }).press('Escape');
    await list.getByText('1 selecionada', { exact: true }).waitFor();
    await list
      .getByRole('button', { name: /^catalogo/ })
      .getByText('1 de 205')
      .waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByText('Com * a chave chama todas as rotas').waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    // On a phone the list must leave room for the warning below it.
    await waitFor(
      'a list that leaves room for the warning',
      async () => ((await list.boundingBox())?.height ?? Number.NaN) < 480,
    );
    await button('Criar chave').hover();
  });
});

test('the metrics show outcomes, reasons of refusals and routes of the requests, as a table and as CSV', async () => {
  await exceedLimit('Medida');
  await page.setViewportSize({ width: 1280, height: 900 });
  await openPath('/gateway/metrics?periodo=1h&por=rota');
  const history = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Histórico' }) });
  await history.getByRole('img', { name: /^Gráfico: \d+ requisições, 0 erros e \d+ recusas no período\.$/ }).waitFor();
  await history.getByRole('listitem').filter({ hasText: 'Limite da chave atingido' }).waitFor();
  await history.getByText('Ver os números em tabela').click();
  await history.getByRole('table').first().getByRole('row').nth(1).waitFor();

  const downloadStarted = page.waitForEvent('download');
  await button('Baixar CSV').click();
  const csv = await downloadStarted;
  expect(csv.suggestedFilename()).toBe('metricas-por-rota-1h.csv');
  expect(readFileSync(await csv.path(), 'utf8')).toMatch(/^at,id,name,requests[\s\S]*\/estoque\/itens\/:id/);

  const table = page.getByRole('table', { name: 'Por rota' });
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"p99Ms":[\d.]+/g, '"p99Ms":987.6') });
  });
  await page.reload();
  await table.getByText('987,6 ms').first().waitFor();
  // Playwright's handler may still be changing a response to a poll.
  await page.unrouteAll({ behavior: 'wait' });
  for (const width of [768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const cells = [
      ...(await table.getByRole('columnheader').all()),
      ...(await table.getByRole('cell', { name: '987,6 ms' }).all()),
    ];
    const lineCounts = cells.map((element) =>
      element.evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), ({ bottom }) => bottom)).size;
      }),
    );
    expect([width, await Promise.all(lineCounts)]).toEqual([width, cells.map(() => 1)]);
  }
  await table.getByRole('button', { name: /estoque\/itens/ }).click();
  await page.getByText(/^Só o que passou por .*\/estoque\/itens\/:id/).waitFor();
});

test('the metrics show "Nunca" and "-" without requests, and later the most used key first', async () => {
  await page.clock.install();
  await page.goto(`${app.stack.url}/gateway/metrics`);
  await page.getByRole('heading', { name: 'Métricas de Uso das Chaves de API' }).waitFor();
  await page.getByText('Chave Mais Ativa').waitFor();
  await page.getByRole('cell', { name: 'Nunca' }).first().waitFor();
  const readCardTexts = async () => (await page.getByRole('definition').allTextContents()).slice(0, 3);
  const details = page.getByRole('table', { name: 'Detalhes por Chave' }).getByRole('row');
  expect(await readCardTexts()).toEqual(['0', '2', '-']);

  const { _id, key } = await app.stack.create('/gateway/admin/keys', { name: 'Integração', permissions: ['*'] });
  await waitForKey(key);
  for (let call = 2; call <= 3; call += 1) await callRoute(key);
  await waitFor('the count of all three calls', async () => {
    const keys = (await app.stack.request('GET', '/gateway/admin/keys')) as { _id: string; usageCount: number }[];
    return keys.some((listedKey) => listedKey._id === _id && listedKey.usageCount === 3);
  });
  // The screen polls every 15 s.
  await page.clock.fastForward(15_000);
  await details.nth(1).getByText('Integração').waitFor();
  // Several keys may have the same name.
  const prefix = `${String(key).slice(0, 12)}…`;
  expect(await details.nth(1).textContent()).toContain(prefix);
  expect(await readCardTexts()).toEqual(['3', '3', 'Integração']);
  expect(await details.nth(2).textContent()).toContain('Só pedidos');
  await page.getByRole('table', { name: 'Por chave', exact: true }).getByRole('row', { name: prefix }).waitFor();
  await app.stack.create('/gateway/admin/keys', { name: 'Integração', permissions: ['*'] });
  await page.reload();
  await page.getByRole('definition').getByText(prefix).waitFor();
});

test('a new key is shown once, in a dialog that Escape does not close', async () => {
  await openPath('/gateway/keys?nova=1');
  await button('Criar chave').click();
  await page.getByText('O nome é obrigatório').waitFor();
  await field('Nome').fill('Aplicativo');
  await page.getByRole('checkbox', { name: 'itens:ler' }).check();
  await button('Criar chave').click();
  const secret = await page.getByLabel('Chave de Aplicativo').inputValue();
  await expectNotice(page, 'Chave de API criada com sucesso!');
  expect(secret).toMatch(/^sk7_[\w-]{43}$/);
  expect(await readWidth('dialog')).toBe(600);
  await page.keyboard.press('Escape');
  await button('Copiar').click();
  await page.getByText('Chave de API copiada!').waitFor();
  await expectCopied(page, secret);
  await button('Já guardei a chave').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await waitForFocus(page, 'Nova chave');
  const traces = await page.evaluate(
    () => document.documentElement.outerHTML + location.href + JSON.stringify({ ...sessionStorage, ...localStorage }),
  );
  expect(traces).not.toContain(secret);

  await button(/^Aplicativo/).click();
  await page.getByText('Qualquer IP', { exact: true }).waitFor();
  await button('Deletar Aplicativo').click();
  await page.getByRole('alertdialog').waitFor();
  expect(await readWidth('alertdialog')).toBe(500);
  await button('Cancelar').click();
});
