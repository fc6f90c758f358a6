import type { Page } from 'playwright-core';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createRoute } from './support/gateway';
import { failOperation, getOperationName } from './support/graph';

let page: Page;
const { button } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
    await createRoute(stack);
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

const openPath = (path: string) => page.goto(app.stack.url + path);

test('the dialog of a new tenant shows that the projects failed to load, and recovers', async () => {
  const restoreOperation = await failOperation(page, 'TenantOptions');
  await openPath('/tenants');
  await button('Novo Tenant').click();
  const dialog = page.getByRole('dialog', { name: 'Criar Novo Tenant' });
  await dialog.getByRole('alert').getByText('Erro ao carregar dados', { exact: true }).waitFor();
  await restoreOperation();
  await dialog.getByRole('button', { name: 'Tentar novamente' }).click();
  await dialog.getByLabel('Projeto', { exact: true }).selectOption({ label: 'CRM' });
});

test('the form of a key shows that the permissions failed to load, and recovers', async () => {
  const restoreOperation = await failOperation(page, 'RoutePermissions');
  await openPath('/gateway/keys');
  await page.getByText('Falha ao carregar as permissões das rotas.', { exact: true }).waitFor();
  await restoreOperation();
  await button('Tentar novamente').click();
  await page.getByRole('checkbox', { name: 'itens:ler' }).waitFor();
  expect(await page.getByText('Falha ao carregar as permissões das rotas.').count()).toBe(0);
});

test('the import dialog shows that the routes failed to load, and recovers', async () => {
  await page.route('**/graphql', (route) => {
    const listedRoute = {
      method: 'GET',
      path: '/novos',
      permission: 'novos:ler',
      suggestedPermission: null,
      summary: null,
    };
    const manifest = { routes: [{ ...listedRoute, __typename: 'ManifestRoute' }], skipped: [], __typename: 'Manifest' };
    return getOperationName(route) === 'ServiceManifest'
      ? route.fulfill({ json: { data: { manifest } } })
      : route.fallback();
  });
  const restoreOperation = await failOperation(page, 'AllGatewayRoutes');
  await openPath('/gateway/management');
  await button('Importar Rotas estoque').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Falha ao carregar as rotas.', { exact: true }).waitFor();
  await restoreOperation();
  await dialog.getByRole('button', { name: 'Tentar novamente' }).click();
  await dialog.getByText('/novos', { exact: true }).waitFor();
  await dialog.getByText('Permissão', { exact: true }).waitFor();
});

test('a list that failed to load shows the reason, and its create button still works', async () => {
  await failOperation(page, 'Projects');
  await openPath('/projects');
  const alert = page.locator('main').getByRole('alert');
  await alert.getByText('Erro ao carregar projetos', { exact: true }).waitFor();
  await alert.getByText('Serviço indisponível.', { exact: true }).waitFor();
  await button('Novo Projeto').click();
  await page.getByRole('dialog', { name: 'Criar Novo Projeto' }).waitFor();
});

test('open alerts show that the mutes failed to load, and recover', async () => {
  const restoreOperation = await failOperation(page, 'Mutes');
  await openPath('/alerts');
  await page.getByText('Falha ao carregar os silêncios.', { exact: true }).waitFor();
  await restoreOperation();
  await button('Tentar novamente').click();
  await page.getByRole('heading', { name: 'Silêncios em vigor' }).waitFor({ state: 'detached' }); // No mutes.
});
