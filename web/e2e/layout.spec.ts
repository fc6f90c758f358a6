import type { Browser, Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { Stack } from '../../scripts/testing/stack';
import { toSubdomainPath, toTenantPath, withParams } from '../src/lib/routing/paths';
import { launchBrowser, openPage, openScreen, waitForFrames, waitForIdle, watchNetwork } from './support/browser';
import { failOperation, holdOperation } from './support/graph';
import { createHold } from './support/hold';
import { resolveUrl, SCREENS } from './support/screens';

/** A label of nearly the maximum length. It has no place for a line break, and it is the first of every list. */
const LONG = 'a'.repeat(62);
const LONG_TEXT = 'Uma descrição que não acaba. '.repeat(16).trim();
/** A label of the usual length. */
const USUAL_LABEL = 'confeitaria-campinas';
const MAIL = 'departamento.de.tecnologia@padariadoze.com.br';

let stack: Stack;
let browser: Browser;
let page: Page;
let waitForRequests: () => Promise<void>;

beforeAll(async () => {
  stack = await Stack.start();
  const project = await stack.create('/projects', { name: LONG, dbPrefix: '', type: 'proxy', apiPort: 4000 });
  for (let index = 0; index < 30; index += 1) {
    const subdomain = [LONG, 'loja'][index] ?? `loja${index}`;
    await stack.create('/subdomains', { subdomain, description: LONG_TEXT, type: 'proxy', port: 4000 });
  }
  await stack.create('/subdomains', {
    subdomain: 'arquivos',
    description: `Arquivos de https://${LONG}.com.br/${LONG}`,
    type: 'static',
    staticPath: `${stack.folder}/sites/${LONG}/${LONG}/loja`,
  });
  await stack.create('/tenants', {
    name: LONG,
    project: project._id,
    subdomain: `t${LONG.slice(1)}`,
    dbName: LONG,
    responsibleName: 'Ana Paula',
    responsibleContact: MAIL,
  });
  const { _id: tenant } = await stack.create('/tenants', {
    name: 'Confeitaria Campinas',
    project: project._id,
    subdomain: USUAL_LABEL,
    dbName: USUAL_LABEL,
  });
  await stack.request('POST', `/tenants/${tenant}/domain`, { domain: `${USUAL_LABEL}.com.br` });
  const service = await stack.create('/gateway/admin/services', { name: LONG, host: `http://${LONG}:4000` });
  const route = { serviceId: service._id, methods: ['GET'], permission: `${LONG}:ler` };
  await stack.create('/gateway/admin/routes', { ...route, origin: `/${LONG}/itens`, destination: `/${LONG}` });
  await stack.create('/gateway/admin/keys', { name: LONG, permissions: [`${LONG}:ler`] });
  await stack.create('/contact', { name: LONG, email: MAIL, contactInfo: `@${LONG}`, message: LONG_TEXT });
  browser = await launchBrowser();
  ({ page } = await openPage(browser, stack, { token: await stack.logIn() }));
  waitForRequests = watchNetwork(page);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function openAtWidth(path: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await openScreen(page, await resolveUrl(path, stack));
  await waitForRequests();
}

/** Returns how many pixels of an element's text are cut off at its end. */
const measureCutOffWidth = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth;

/** Resolves once the page has been laid out for a new width. */
async function waitForLayout(ofPage = page): Promise<void> {
  await waitForFrames(ofPage);
  await waitForIdle(ofPage);
}

test.each([...SCREENS, toSubdomainPath(LONG)])('names of 62 characters do not scroll %s sideways', async (path) => {
  await openAtWidth(path, 1920);
  const overflows: string[] = [];
  // 640 and 320 are a window of 1280 px at 200 % and 400 % zoom.
  for (const width of [1920, 1280, 768, 640, 360, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await waitForLayout();
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflowPx > 0) overflows.push(`${width}: ${overflowPx} px`);
  }
  expect(overflows).toEqual([]);
});

test.each([360, 768, 1280])('at %i px a long word under the heading of a site wraps', async (width) => {
  const [tenant] = (await stack.request('GET', `/tenants?search=${LONG}`)) as { _id: string }[];
  for (const path of [toSubdomainPath('arquivos'), toTenantPath(tenant?._id ?? '')]) {
    await openAtWidth(path, width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});

test('a long description takes at most two lines of its row', async () => {
  await openAtWidth('/admin', 1280);
  const description = page.getByRole('cell', { name: LONG_TEXT }).first().locator('span');
  expect((await description.boundingBox())?.height).toBeLessThanOrEqual(40);
});

test('the column headers of a long list stay below the top bar while the list scrolls', async () => {
  await openAtWidth('/admin', 1280);
  await page.getByRole('row').nth(12).scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction(() => (document.querySelector('tbody')?.getBoundingClientRect().top ?? 0) < 0);
  const bar = await page.getByRole('banner').boundingBox();
  const header = await page.getByRole('columnheader').first().boundingBox();
  expect(header?.y).toBeCloseTo(bar?.height ?? 0, 0);
});

test('at 1920 px an e-mail address is not cut off', async () => {
  await openAtWidth('/tenants', 1920);
  expect((await page.getByRole('table').boundingBox())?.width).toBeGreaterThan(1600);
  const mail = page.getByText(MAIL);
  expect(await mail.evaluate(measureCutOffWidth)).toBeLessThanOrEqual(0);
});

test('at 768 px a card has all its fields in one row, and its actions beside its heading', async () => {
  await openAtWidth('/tenants', 768);
  const card = page.getByRole('article').first();
  await card.waitFor();
  const tops = await card.locator('dt').evaluateAll((all) => all.map((term) => term.getBoundingClientRect().top));
  expect(tops.length).toBe(4);
  expect(new Set(tops).size).toBe(1);
  const [heading, actionButton] = [card.getByRole('heading'), card.getByRole('button', { name: /^Remover/ })];
  expect((await actionButton.boundingBox())?.y).toBeLessThan((await heading.boundingBox())?.y ?? 0);
});

test('an e-mail address takes one line of the table, and its title has the whole address', async () => {
  await openAtWidth('/tenants', 1280);
  const mail = page.getByRole('table').getByTitle(MAIL);
  await mail.waitFor();
  expect((await mail.boundingBox())?.height).toBeLessThanOrEqual(20);
});

test.each([
  ['/projects', 'Projetos'],
  ['/gateway/management', 'Serviços Existentes'],
])('the list %s is a table at 768 px, with whole texts and actions of touch size', async (path, name) => {
  await openAtWidth(path, 768);
  const table = page.getByRole('table', { name });
  await table.waitFor();
  for (const cell of await table.getByRole('cell').all()) {
    expect(await cell.evaluate(measureCutOffWidth)).toBeLessThanOrEqual(0);
  }
  for (const actionButton of await table.locator('td').getByRole('button', { name: LONG }).all()) {
    expect((await actionButton.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});

test('the name of an administrator takes one line at every width', async () => {
  await openAtWidth('/settings?aba=administradores', 1280);
  const countLines = () =>
    page.getByText('(você)').evaluate((mark) => {
      const range = document.createRange();
      if (mark.previousSibling) range.selectNode(mark.previousSibling);
      return range.getClientRects().length;
    });
  for (const width of [1280, 880, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await waitForLayout();
    expect(await countLines()).toBe(1);
  }
});

test('numbers are aligned with the end of their header', async () => {
  await openAtWidth('/gateway/metrics', 1280);
  const table = page.getByRole('table', { name: 'Detalhes por Chave' });
  const header = table.getByRole('columnheader').nth(1);
  const readEnd = (cell: Locator) =>
    cell.evaluate((element) => {
      const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      if (words) range.selectNodeContents(words);
      return range.getBoundingClientRect().right;
    });
  expect(await readEnd(table.getByRole('cell').nth(1))).toBeCloseTo(await readEnd(header), 0);
});

test('a long path takes two lines, and its end is visible', async () => {
  await openAtWidth('/admin?q=arquivos', 1280);
  const path = page.getByTitle(`${stack.folder}/sites/${LONG}/${LONG}/loja`);
  expect((await path.boundingBox())?.height).toBeLessThanOrEqual(40);
  const cellBox = await page.getByRole('cell').filter({ has: path }).boundingBox();
  const end = page.getByText('loja', { exact: true });
  const endBox = await end.boundingBox();
  expect((endBox?.x ?? 0) + (endBox?.width ?? 0)).toBeLessThanOrEqual((cellBox?.x ?? 0) + (cellBox?.width ?? 0));
  expect(await end.evaluate(measureCutOffWidth)).toBeLessThanOrEqual(0);
});

test('on a phone the summary of the overview is not cut off', async () => {
  const message = { name: 'Ana', email: MAIL, contactInfo: '11 99999-0000', message: 'Olá' };
  await stack.request('POST', '/contact', message);
  // The message is the first issue of the overview, and a target that does not respond is the second.
  await stack.request('POST', `/subdomains/${LONG}/check`);
  await openAtWidth('/admin', 360);
  const summary = page.locator('summary', { hasText: 'Visão geral' }).locator('span').first();
  await summary.getByText('·').waitFor();
  expect(await summary.evaluate(measureCutOffWidth)).toBeLessThanOrEqual(0);
  // The issues are below the line of the title and the first steps, and as wide as the panel.
  const [title, steps, issues] = await Promise.all(
    [page.getByText('Visão geral', { exact: true }), page.getByText(/^Primeiros passos:/), summary].map((part) =>
      part.boundingBox(),
    ),
  );
  expect(steps?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  expect(issues?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
  expect(issues?.width).toBeGreaterThan(280);
});

test('a long name in the expanded overview wraps', async () => {
  await stack.request('POST', `/subdomains/${LONG}/check`);
  const [tenant] = (await stack.request('GET', `/tenants?search=${LONG}`)) as { _id: string }[];
  await stack.request('POST', `/tenants/${tenant?._id}/check`);
  await openAtWidth('/admin', 360);
  await page.locator('summary', { hasText: 'Visão geral' }).click();
  await page.locator('details').getByRole('link', { name: LONG }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.locator('summary', { hasText: 'Visão geral' }).click();
});

test('the telephone number of a message looks like a link', async () => {
  await stack.request('POST', '/contact', { name: 'Bia', email: MAIL, contactInfo: '11 98888-0000', message: 'Olá' });
  await openAtWidth('/settings?aba=mensagens', 1280);
  const number = page.getByRole('link', { name: '11 98888-0000' });
  const colors = await number.evaluate((link) =>
    [link, link.parentElement ?? link].map((element) => getComputedStyle(element).color),
  );
  expect(colors[0]).not.toBe(colors[1]);
});

test.each([360, 768])(
  'at %i px the three choices for www are side by side and large enough for touch',
  async (width) => {
    await openAtWidth('/tenants', width);
    await page.getByRole('button', { name: 'Alterar domínio de Confeitaria Campinas' }).click();
    const choices = page.getByRole('radiogroup', { name: 'Com e sem www' }).locator('label');
    await choices.nth(2).waitFor();
    const boxes = await Promise.all((await choices.all()).map((choice) => choice.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(44);
  },
);

test('on a phone the button that removes is on the same line as another action', async () => {
  await stack.request('POST', '/contact', { name: 'Rui', email: MAIL, message: 'Olá' });
  for (const [path, width, neighbour] of [
    ['/settings?aba=mensagens', 360, /^Marcar como respondida/],
    ['/projects', 320, /^Editar/],
    ['/tenants/:id', 360, /^Editar/],
    ['/admin', 320, /^Editar/],
  ] as const) {
    await openAtWidth(path, width);
    const readTop = async (name: RegExp) => (await page.getByRole('button', { name }).first().boundingBox())?.y;
    // Content that loads above the list may move both buttons between two measurements.
    await waitFor(`one line of actions on ${path}`, async () => {
      const top = await readTop(/^Remover/);
      return top !== undefined && top === (await readTop(neighbour));
    });
  }
});

test('on a phone the row of tabs reaches the edge of the screen, and fades where more tabs follow', async () => {
  await openAtWidth('/settings', 360);
  const row = page.getByRole('tablist');
  const box = await row.boundingBox();
  expect([box?.x, box?.width]).toEqual([0, 360]);
  const readFades = () =>
    row.evaluate((element) => {
      const style = getComputedStyle(element);
      return ['--fade-start', '--fade-end'].map((name) => Number.parseFloat(style.getPropertyValue(name)) > 16);
    });
  expect(await readFades()).toEqual([false, true]);
  await page.getByRole('tab').last().click();
  await waitForLayout();
  expect(await readFades()).toEqual([true, false]);
  await page.setViewportSize({ width: 768, height: 900 });
  await waitForLayout();
  expect(await readFades()).toEqual([false, false]);
});

/** The core's response if the check of a tenant's target fails. */
const FAILED_CHECK = {
  error: 'Ocorreu um erro ao verificar o tenant.',
  details: 'O servidor não respondeu em 10 segundos.',
};

describe.each([360, 768, 1280])('at %i px a notification covers', (width) => {
  /** Returns the labels of the controls that the notification covers. */
  async function listCovered(controls: Locator): Promise<string[]> {
    const notice = await page.getByRole('region', { name: 'Notificações' }).locator('[data-color]').boundingBox();
    if (!notice) throw new Error('no notification');
    const coveredControls: string[] = [];
    for (const control of await controls.all()) {
      const box = await control.boundingBox();
      if (
        box &&
        box.x < notice.x + notice.width &&
        notice.x < box.x + box.width &&
        box.y < notice.y + notice.height &&
        notice.y < box.y + box.height
      )
        coveredControls.push(`${await control.getAttribute('aria-label')} ${await control.textContent()}`);
    }
    return coveredControls;
  }
  const firstButton = (name: RegExp) => page.getByRole('button', { name }).first();

  test('no control of the top bar', async () => {
    await openAtWidth('/settings', width);
    await page.getByRole('button', { name: 'Salvar Configurações' }).click();
    await page.getByText('Configurações salvas com sucesso!').waitFor();
    expect(await listCovered(page.getByRole('banner').locator('a, button, summary'))).toEqual([]);
  });

  test('no dialog', async () => {
    await openAtWidth('/tenants', width);
    await page.getByRole('button', { name: /domínio de a/ }).click();
    await page.getByRole('textbox', { name: 'Domínio' }).fill('');
    await page.getByRole('button', { name: 'Salvar e Configurar' }).click();
    await page.getByRole('region', { name: 'Notificações' }).getByText('O campo de domínio').waitFor();
    expect(await listCovered(page.getByRole('dialog'))).toEqual([]);
  });

  test('no control of a drawer', async () => {
    await openAtWidth('/tenants', width);
    await firstButton(/^Copiar/).click();
    await firstButton(/^Requisições/).click();
    await page.getByRole('button', { name: 'Parar' }).waitFor();
    expect(await listCovered(page.getByRole('dialog').locator('button, select'))).toEqual([]);
  });

  test('no action of a screen', async () => {
    await openAtWidth('/tenants', width);
    const errors = [{ message: FAILED_CHECK.error, extensions: { code: 'BAD_GATEWAY', ...FAILED_CHECK } }];
    await page.route('**/graphql*', (route) => route.fulfill({ json: { errors } }));
    await firstButton(/^Verificar/).click();
    await page.getByText(FAILED_CHECK.details).waitFor();
    await page.unroute('**/graphql*');
    expect(await listCovered(page.getByRole('button', { name: 'Novo Tenant' }))).toEqual([]);
  });
});

test.each([
  [360, 'above'],
  [1280, 'below'],
])('at %i px the description of a section is %s its button', async (width, place) => {
  await openAtWidth('/settings?aba=atividade', width);
  const sentence = await page.getByText('Quem mudou o quê, por 400 dias.').boundingBox();
  const button = await page.getByRole('button', { name: 'Exportar CSV' }).boundingBox();
  expect((sentence?.y ?? 0) < (button?.y ?? 0)).toBe(place === 'above');
});

test('hosts of tenants are not cut off, and a host of the usual length takes one line of the table', async () => {
  await openAtWidth('/tenants', 1920);
  const cutOffHosts: string[] = [];
  for (const width of [1920, 1680, 1440, 1280, 1024, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await waitForLayout();
    await page.locator('main a[target]').first().waitFor();
    for (const link of await page.locator('main a[target]').all()) {
      if ((await link.evaluate(measureCutOffWidth)) > 0) cutOffHosts.push(`${await link.textContent()} at ${width}`);
    }
    const usualHost = page.getByRole('link', { name: `${USUAL_LABEL}.localhost` });
    if (width >= 1280) expect((await usualHost.boundingBox())?.height).toBeLessThanOrEqual(20);
  }
  expect(cutOffHosts).toEqual([]);
});

test.each([
  [1280, 420],
  [360, 530],
])(
  'at %i px the list of subdomains begins above %i px, because the field of the description grows only on a click',
  async (width, maxTop) => {
    const { page: freshPage } = await openPage(browser, stack, { width, token: await stack.logIn() });
    // While the response is held, the overview has one line, whatever problems other tests have caused.
    const overview = await holdOperation(freshPage, 'Overview');
    await freshPage.goto(`${stack.url}/admin`);
    const list = freshPage.locator('main :is(table, article)').first();
    await list.waitFor();
    expect((await list.boundingBox())?.y).toBeLessThan(maxTop);
    const field = freshPage.getByRole('textbox', { name: 'O que este serviço faz?' });
    expect((await field.boundingBox())?.height).toBeLessThan(50);
    await field.click();
    await freshPage.getByText(/Você confere antes de criar\.$/).waitFor();
    expect((await field.boundingBox())?.height).toBeGreaterThan(90);
    overview.release();
    await freshPage.context().close();
  },
);

test('the form of a new subdomain is as wide as its panel', async () => {
  await openAtWidth('/admin', 1920);
  const panel = await page.locator('section', { has: page.getByRole('list', { name: 'Etapas' }) }).boundingBox();
  // The padding and the border of the panel take 50 px.
  const innerWidth = (panel?.width ?? 0) - 50;
  const measureDistance = async (first: Locator, last: Locator) => {
    const [left, right] = [await first.boundingBox(), await last.boundingBox()];
    return (right?.x ?? 0) + (right?.width ?? 0) - (left?.x ?? 0);
  };
  const button = (name: string) => page.getByRole('button', { name });
  const field = (name: string) => page.getByRole('textbox', { name });
  await field('O que este serviço faz?').focus();
  expect(await measureDistance(field('O que este serviço faz?'), button('Manualmente'))).toBeCloseTo(innerWidth, 0);
  await button('Manualmente').click();
  await field('Subdomínio').waitFor();
  expect(await measureDistance(field('Subdomínio'), field('Descrição'))).toBeCloseTo(innerWidth, 0);
});

test('on a phone the actions of a long dialog are visible', async () => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${stack.url}/tenants`);
  await page.getByRole('button', { name: 'Alterar domínio de Confeitaria Campinas' }).click();
  const save = page.getByRole('button', { name: 'Salvar e Configurar' });
  await save.waitFor();
  const dialog = await page.getByRole('dialog').boundingBox();
  expect(dialog?.height).toBeGreaterThan(640);
  const box = await save.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
});

test('on a phone in landscape a dialog leaves two thirds of the height to its fields, and its actions are visible', async () => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(await resolveUrl('/tenants?novo=1', stack));
  const dialog = page.getByRole('dialog');
  const save = await dialog.getByRole('button', { name: 'Salvar' }).boundingBox();
  expect((save?.y ?? 0) + (save?.height ?? 0)).toBeLessThanOrEqual(390);
  const firstLabel = await dialog.getByText('Projeto', { exact: true }).first().boundingBox();
  expect((save?.y ?? 0) - (firstLabel?.y ?? 0)).toBeGreaterThan(260);
});

test.each([
  ['/tenants', 'Confeitaria Campinas'],
  ['/admin', 'loja29'],
])('the reason of an outage is not cut off in the list %s', async (path, name) => {
  await openAtWidth(path, 1280);
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByRole('button', { name: /^Verificar/ }).click();
  const reason = row.getByText('Ninguém atende na porta 4000.');
  await reason.waitFor();
  expect(await reason.evaluate(measureCutOffWidth)).toBe(0);
});

test('a list of numbers is a table at 768 px, and no number is cut off', async () => {
  await openAtWidth('/gateway/metrics', 768);
  const cells = page.getByRole('table', { name: 'Detalhes por Chave' }).getByRole('cell');
  await cells.first().waitFor();
  for (const cell of await cells.all()) expect(await cell.evaluate(measureCutOffWidth)).toBeLessThanOrEqual(0);
  expect(await page.getByRole('combobox', { name: 'Ordenar por' }).count()).toBe(0);
});

test('at 768 px each permission of a key has touch size', async () => {
  await openAtWidth('/gateway/keys?nova=1', 768);
  const permissions = page.getByRole('group', { name: 'Permissões' });
  await permissions.getByRole('checkbox').first().waitFor();
  for (const label of await permissions.locator('label').all()) {
    expect((await label.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});

test('the selects above a list do not cut their text off', async () => {
  for (const width of [768, 360]) {
    await openAtWidth('/tenants', width);
    const choices = page.getByRole('main').getByRole('combobox');
    await choices.first().waitFor();
    for (const select of await choices.all()) {
      // The arrow of a select is in its padding.
      const freeWidth = await select.evaluate((element) => {
        if (!(element instanceof HTMLSelectElement)) throw new Error('no select');
        const { font, paddingLeft, paddingRight } = getComputedStyle(element);
        const context = document.createElement('canvas').getContext('2d');
        if (context) context.font = font;
        const text = context?.measureText(element.selectedOptions[0]?.text ?? '').width ?? 0;
        return element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - text;
      });
      expect(freeWidth).toBeGreaterThanOrEqual(0);
    }
  }
});

test('the headings of public pages are aligned with their top bar', async () => {
  const { page: visitor } = await openPage(browser, stack);
  for (const path of ['/', '/contact', '/nao-existe']) {
    await visitor.goto(stack.url + path);
    for (const width of [1920, 1280, 768, 360]) {
      await visitor.setViewportSize({ width, height: 900 });
      await visitor.waitForFunction((expected) => window.innerWidth === expected, width);
      await waitForLayout(visitor);
      // Both positions are read in one call. In two calls, one position could belong to the previous width.
      const [logo, heading] = await visitor.evaluate(() =>
        ['header a', 'h1'].map((selector) => document.querySelector(selector)?.getBoundingClientRect().x),
      );
      expect([path, width, heading]).toEqual([path, width, logo]);
      expect(logo).toBeDefined();
    }
  }
  await visitor.context().close();
});

test('the usage history is above the table of all keys', async () => {
  await openAtWidth('/gateway/metrics', 1280);
  const headings = page.getByRole('heading', { level: 2 });
  await headings.nth(1).waitFor();
  expect(await headings.allTextContents()).toEqual(['Histórico', 'Detalhes por Chave']);
});

test('the skeleton has the same top bar as the loaded console, so that nothing moves', async () => {
  const { page: freshPage } = await openPage(browser, stack, { token: await stack.logIn() });
  const { whileHeld, release } = createHold();
  await freshPage.route('**/*.js', async (route) => {
    await whileHeld;
    await route.continue();
  });
  const readSizes = (selector: string) =>
    freshPage.locator(selector).evaluate((bar) => {
      const [header, logo] = [bar, bar.querySelector('svg')].map((element) => element?.getBoundingClientRect());
      return [header?.height, logo?.x, logo?.y, logo?.width, logo?.height].map((size) => Math.round(size ?? 0));
    });
  const list = await holdOperation(freshPage, 'Tenants');
  await freshPage.goto(`${stack.url}/tenants`, { waitUntil: 'commit' });
  await freshPage.locator('.console-skeleton > header').waitFor();
  const skeleton = await readSizes('.console-skeleton > header');
  const title = await freshPage.locator('.console-skeleton .title').boundingBox();
  release();
  await freshPage.locator('[data-title]').waitFor();
  expect(skeleton).toEqual(await readSizes('header[data-session]'));
  expect(title).toEqual(await freshPage.locator('[data-title]').boundingBox());
  list.release();
  await freshPage.getByRole('heading', { level: 1, name: 'Gerenciador de Tenants' }).waitFor();
  await freshPage.context().close();
});

test('nothing moves by itself for a person who prefers reduced motion', async () => {
  await openAtWidth(withParams(toSubdomainPath('loja'), { aba: 'requisicoes' }), 1280);
  await page.getByText('Ao vivo').waitFor();
  const runningAnimations = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline)
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'a transition')),
  );
  expect(runningAnimations).toEqual([]);
});

test('the card of a subdomain that was never checked has no empty line for its availability', async () => {
  await openAtWidth('/admin', 360);
  const state = page.getByRole('definition').filter({ hasText: 'Não verificado' }).first();
  expect((await state.boundingBox())?.height).toBeLessThanOrEqual(28);
});

test('at 1920 px the form of rules is narrower than 960 px, and the facts of a site take more than two columns', async () => {
  await openAtWidth('/tenants/:id', 1920);
  const terms = page.locator('main dl').first().locator('dt');
  const tops = await terms.evaluateAll((all) => all.map((term) => term.getBoundingClientRect().top));
  expect(tops.filter((top) => top === tops[0]).length).toBeGreaterThan(2);
  await openAtWidth('/tenants/:id?aba=regras', 1920);
  expect((await page.getByRole('form', { name: 'Regras' }).boundingBox())?.width).toBeLessThan(960);
});

test('a long list of choices scrolls within its own frame, whose edges fade where more choices follow', async () => {
  const [{ _id: project }] = (await stack.request('GET', '/projects')) as [{ _id: string }];
  for (let index = 0; index < 30; index += 1) {
    const subdomain = `cliente${index}`;
    await stack.create('/tenants', { name: `Cliente ${index}`, project, subdomain, dbName: subdomain });
  }
  await openAtWidth('/alerts?aba=manutencao', 768);
  await page.getByRole('button', { name: 'Nova janela' }).click();
  const tenants = page.getByRole('group', { name: 'Tenants' });
  await tenants.getByRole('checkbox', { name: 'Cliente 29' }).waitFor({ state: 'attached' });
  expect((await tenants.boundingBox())?.height).toBeLessThan(280);
  // The fade consists of two backgrounds that scroll with the content and two that stay.
  const attachments = await tenants.evaluate((group) =>
    [...group.querySelectorAll('*')].map((element) => getComputedStyle(element).backgroundAttachment),
  );
  expect(attachments).toContain('local, local, scroll, scroll');
});

test('the methods of a route stand apart from each other', async () => {
  await openAtWidth('/gateway/management?tab=rotas&nova=1', 768);
  const boxes = page.getByRole('group', { name: /^Métodos/ }).locator('label', { has: page.getByRole('checkbox') });
  await boxes.first().waitFor();
  const [first, second] = await boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().toJSON()));
  expect(second?.left - first?.right).toBeGreaterThanOrEqual(20);
});

test('the checkboxes of the rules stand in one column', async () => {
  await openAtWidth(withParams(toSubdomainPath('loja'), { aba: 'regras' }), 1280);
  const boxes = page.getByRole('form', { name: 'Regras' }).locator('label', { has: page.getByRole('checkbox') });
  await boxes.first().waitFor();
  const lefts = await boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
});

test('the alert of a failed load in a panel stands apart from the text above it', async () => {
  const succeedAgain = await failOperation(page, 'Settings');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${stack.url}/settings`);
  const text = page.getByText('O bot avisa no chat informado abaixo quando alguém envia o formulário de contato.');
  const alert = page.getByRole('main').getByRole('alert').first();
  await alert.waitFor();
  const [above, below] = [await text.boundingBox(), await alert.boundingBox()];
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThanOrEqual(12);
  await succeedAgain();
});

test('the button that copies a folder stands beside its path', async () => {
  const staticPath = `${stack.folder}/sites/pasta`;
  await stack.create('/subdomains', { subdomain: 'pasta', description: 'Pasta', type: 'static', staticPath });
  await openAtWidth('/admin', 1920);
  const copy = await page.getByRole('button', { name: 'Copiar o destino de pasta' }).boundingBox();
  const line = await page
    .getByRole('row')
    .filter({ hasText: 'Pasta' })
    .getByText(/\/sites\/$/)
    .boundingBox();
  expect((copy?.x ?? 0) - (line?.x ?? 0) - (line?.width ?? 0)).toBeLessThan(16);
});
