import type { Page } from 'playwright-core';
import { startConsole } from './support/console';
import { controls } from './support/controls';
import { createRoute } from './support/gateway';

let page: Page;
const { button, field } = controls(() => page);
const app = startConsole({
  setUp: async (stack) => {
    await stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
    await createRoute(stack);
    await stack.create('/gateway/admin/keys', { name: 'Primeira', permissions: ['itens:ler'] });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});

const openPath = (path: string) => page.goto(app.stack.url + path);

async function createKey(name: string): Promise<string> {
  await openPath('/projects');
  await page.getByRole('link', { name: 'API Keys' }).first().click();
  await button('Nova chave').click();
  await field('Nome').fill(name);
  await page.getByRole('checkbox').first().check();
  await button('Criar chave').click();
  return page.getByLabel(`Chave de ${name}`).inputValue();
}

test('a new key stays on screen after Back and after the end of the session', async () => {
  const secret = await createKey('Volta');
  await page.goBack();
  await page.waitForURL('**/projects');
  expect(await page.getByLabel('Chave de Volta').inputValue()).toBe(secret);
  // Another tab logs out.
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${app.stack.url}/404`);
  await otherTab.evaluate(() => localStorage.removeItem('token'));
  await page.waitForURL('**/login');
  expect(await page.getByLabel('Chave de Volta').inputValue()).toBe(secret);
  await button('Já guardei a chave').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  await otherTab.close();
});

test('a reload asks before a new key is lost, and the button that copies the key has a visible label', async () => {
  await createKey('Recarga');
  await page.getByRole('dialog').getByText('Copiar', { exact: true }).waitFor();
  const dialogOpened = page.waitForEvent('dialog');
  // Playwright's own navigation would wait for a page that never loads.
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const leaveDialog = await dialogOpened;
  expect(leaveDialog.type()).toBe('beforeunload');
  await leaveDialog.dismiss();
  await page.getByLabel('Chave de Recarga').waitFor();
});
