import type { Locator, Page } from 'playwright-core';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { expectNotice } from './support/browser';
import { startConsole } from './support/console';
import { controls } from './support/controls';

/** Limit of Tab presses. No screen that these tests open has as many controls. */
const MAX_TABS = 60;

let page: Page;
const { button, field } = controls(() => page);
let service: RunningServer;
const app = startConsole({
  setUp: async (stack) => {
    service = await listen((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify([{ method: 'GET', path: '/itens', permission: 'itens:ler', summary: 'Itens' }]));
    });
    await stack.create('/gateway/admin/services', { name: 'estoque', host: service.url });
    await stack.create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
afterAll(() => service?.stop());

const pressKey = (key: string) => page.keyboard.press(key);
const typeText = (text: string) => page.keyboard.type(text);

/** Reads outline and shadow of a control, and of the next element, which is drawn in place of a hidden checkbox. */
const readFocusStyles = (control: Locator) =>
  control.evaluate((element) =>
    [element, element.nextElementSibling].map((part) => {
      const style = part ? getComputedStyle(part) : undefined;
      return `${style?.outline} ${style?.boxShadow}`;
    }),
  );

/**
 * Presses Tab until the control has the focus. Unless the control had the focus before, its style must change, so that
 * the focus is visible.
 */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  const stylesBefore = (await hasFocus()) ? undefined : await readFocusStyles(control);
  for (let step = 0; !(await hasFocus()); step += 1) {
    if (step === MAX_TABS) throw new Error(`Tab does not reach ${control}`);
    await pressKey('Tab');
  }
  expect(await readFocusStyles(control)).not.toEqual(stylesBefore);
}

/** Goes to a control with Tab and presses a key on it. */
async function activate(control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(control);
  await pressKey(key);
}

/** Goes to a field with Tab and types into it. */
async function fillField(control: Locator, text: string): Promise<void> {
  await tabTo(control);
  await typeText(text);
}

const waitForClosedDialog = () => page.getByRole('dialog').waitFor({ state: 'detached' });

test('a tenant is created and gets its domain by keyboard alone, and a closed dialog gives the focus back', async () => {
  await page.goto(`${app.stack.url}/tenants`);
  await activate(button('Novo Tenant'));
  await fillField(field('Nome do Tenant'), 'Padaria');
  await fillField(page.getByLabel('Projeto', { exact: true }), 'CRM');
  await fillField(field('Nome do Responsável'), 'Ana');
  await activate(button('Salvar'));
  await expectNotice(page, 'Tenant salvo com sucesso!');
  await waitForClosedDialog();
  const addButton = button(/^Adicionar domínio de Padaria/);
  await activate(addButton);
  await fillField(field('Domínio'), 'padaria.com.br');
  await pressKey('Enter');
  await expectNotice(page, /^Domínio configurado com sucesso!/);
  await waitForClosedDialog();
  const changeButton = button(/^Alterar domínio de Padaria/);
  const waitForFocus = async () =>
    page.waitForFunction((element) => element === document.activeElement, await changeButton.elementHandle());
  // The button that opened the dialog is gone. The button in its place gets the focus.
  await waitForFocus();
  await activate(changeButton);
  await page.getByRole('dialog').waitFor();
  await pressKey('Escape');
  await waitForClosedDialog();
  await waitForFocus();
});

test('a key is created with a permission and its secret is copied, by keyboard alone', async () => {
  await page.goto(`${app.stack.url}/gateway/keys?nova=1`);
  await fillField(field('Nome'), 'Aplicativo');
  await activate(page.getByRole('checkbox').first(), 'Space');
  await activate(button('Criar chave'));
  const copyButton = page
    .getByRole('dialog')
    .getByRole('button', { name: /^Copiar/ })
    .first();
  await activate(copyButton);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sk7_/);
});

test('the routes of a service are imported by keyboard alone', async () => {
  await page.goto(`${app.stack.url}/gateway/management`);
  await activate(button('Importar Rotas estoque'));
  await activate(page.getByRole('checkbox', { name: 'Selecionar todas' }), 'Space');
  await activate(button('Salvar Rotas Selecionadas'));
  await expectNotice(page, 'Rotas importadas com sucesso!');
  await page.getByRole('row').filter({ hasText: '/estoque/itens' }).getByText('itens:ler').waitFor();
});
