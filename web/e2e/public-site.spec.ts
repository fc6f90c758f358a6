import type { Browser, Page } from 'playwright-core';
import { Stack } from '../../scripts/testing/stack';
import { findViolations, loadAxe, THEME_CHECKS } from './support/axe';
import { launchBrowser, openPage, type PageOptions, waitForHydration } from './support/browser';
import { createHold } from './support/hold';
import { PageSupply } from './support/page-supply';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

let stack: Stack;
let browser: Browser;
let pages: PageSupply;
/** Console errors and warnings, page errors and requests to other origins of the latest page. Tests expect none. */
let pageErrors: string[] = [];

beforeAll(async () => {
  stack = await Stack.start();
  browser = await launchBrowser();
  pages = new PageSupply(browser, stack);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Opens a path as a visitor, in an empty profile. With options the profile is always new, which takes longer. */
async function openAsVisitor(path: string, options?: PageOptions): Promise<Page> {
  const opened = await (options ? openPage(browser, stack, options) : pages.open());
  ({ pageErrors } = opened);
  await opened.page.goto(stack.url + path);
  return opened.page;
}

const fillForm = async (page: Page, values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).fill(value);
};

const MESSAGE = {
  name: 'Ana Souza',
  email: 'ana@exemplo.com.br',
  message: 'Quero lançar uma agenda online.\nPodemos conversar?',
};

test('a login that is sent before the scripts run puts no password into the URL', async () => {
  const page = await openAsVisitor('/login', { javaScriptEnabled: false });
  await fillForm(page, { username: 'ana', password: 'segredo' });
  const pageReloaded = page.waitForEvent('domcontentloaded');
  await page.locator('[name="password"]').press('Enter');
  await pageReloaded;
  expect(page.url()).toBe(`${stack.url}/login`);
});

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('%s', (_, javaScriptEnabled) => {
  const openPath = async (path: string) => {
    const page = await openAsVisitor(path, javaScriptEnabled ? undefined : { javaScriptEnabled });
    if (javaScriptEnabled && path === '/contact') await waitForHydration(page);
    return page;
  };
  const submit = (page: Page) => page.getByRole('button', { name: 'Enviar Mensagem' }).click();

  test('the landing page leads to the contact form', async () => {
    const page = await openPath('/');
    await expect(page.getByRole('heading', { level: 1 }).innerText()).resolves.toBe('Sua Ideia, Lançada em 7 Dias.');
    const headings = await page.getByRole('heading', { level: 3 }).allInnerTexts();
    const steps = ['Imersão e Estratégia', 'Desenvolvimento Focado', 'Testes e Qualidade', 'Lançamento'];
    expect(headings.filter((heading) => steps.includes(heading))).toEqual(steps);
    expect(await page.getByRole('link', { name: 'Agende Sua Consulta Gratuita' }).getAttribute('href')).toBe(
      '/contact',
    );
    expect(await page.locator('footer').innerText()).toContain(`© ${new Date().getFullYear()}`);
    expect(await page.locator('footer').innerText()).toContain('Todos os direitos reservados');
    await page.getByRole('link', { name: 'Quero Lançar Meu Projeto' }).click();
    await page.waitForURL('**/contact');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Vamos Conversar;');
    expect(pageErrors).toEqual([]);
  });

  test('an empty message is refused, and a complete one is stored', async () => {
    const page = await openPath('/contact');
    await submit(page);
    await page.getByRole('alert').getByText('Por favor, preencha todos os campos').waitFor();
    await fillForm(page, { ...MESSAGE, contactInfo: '@ana' });
    await submit(page);
    await page.locator('#contact-answer[data-state="success"]').waitFor();
    expect(await page.locator('#contact-answer').innerText()).toBe('Mensagem enviada com sucesso!');
    expect(await page.locator('[name="message"]').inputValue()).toBe('');
    expect(await stack.request('GET', '/contact')).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ ...MESSAGE, contactInfo: '@ana' })]),
    });
  });

  test('a refused message shows its error once and keeps what was typed', async () => {
    const page = await openPath('/contact');
    const typedValues = { ...MESSAGE, email: 'ana@exemplo', message: '\n  <b>"Olá"</b> & até' };
    await fillForm(page, typedValues);
    await submit(page);
    await page.getByText('Informe um e-mail válido.').waitFor();
    for (const [name, value] of Object.entries(typedValues)) {
      expect(await page.locator(`[name="${name}"]`).inputValue()).toBe(value);
    }
  });

  test('while the core is down the typed text is kept, and the message is sent once the core is back', async () => {
    await stack.kill('core');
    const page = await openPath('/contact');
    await fillForm(page, MESSAGE);
    await submit(page);
    await page.getByRole('alert').getByText('Ocorreu um erro ao enviar a mensagem.').waitFor();
    for (const [name, value] of Object.entries(MESSAGE)) {
      expect(await page.locator(`[name="${name}"]`).inputValue()).toBe(value);
    }
    await stack.start('core');
    await submit(page);
    await page.locator('#contact-answer[data-state="success"]').waitFor();
  });

  test('an unknown URL shows "not found"', async () => {
    const page = await openPath('/nao-existe');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Página não encontrada');
    expect(pageErrors).toEqual([expect.stringContaining('404')]);
  });
});

test('the notification of a success can be closed', async () => {
  const page = await openAsVisitor('/contact');
  await waitForHydration(page);
  await fillForm(page, MESSAGE);
  await page.getByRole('button', { name: 'Enviar Mensagem' }).click();
  await page.getByRole('status').getByText('Mensagem enviada com sucesso!').waitFor();
  await page.getByRole('button', { name: 'Fechar' }).click();
  await page.getByRole('button', { name: 'Fechar' }).waitFor({ state: 'detached' });
});

test('a second tap does not replace the success of a sent message with an error', async () => {
  const page = await openAsVisitor('/contact');
  await waitForHydration(page);
  await fillForm(page, MESSAGE);
  const submit = page.getByRole('button', { name: 'Enviar Mensagem' });
  await submit.click();
  await page.locator('#contact-answer[data-state="success"]').waitFor();
  await submit.click();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  expect(await page.locator('#contact-answer').innerText()).toBe('Mensagem enviada com sucesso!');
});

test('a field shows its error on blur, and removes it once the value is valid', async () => {
  const page = await openAsVisitor('/contact');
  await waitForHydration(page);
  const email = page.getByLabel('E-mail');
  await email.fill('ana@');
  await email.blur();
  await page.getByText('Informe um e-mail válido.').waitFor();
  expect(await email.getAttribute('aria-invalid')).toBe('true');
  await email.fill('ana@exemplo.com');
  await page.getByText('Informe um e-mail válido.').waitFor({ state: 'detached' });
});

test('a message that is too long is kept, and an error names the limit', async () => {
  const page = await openAsVisitor('/contact');
  await waitForHydration(page);
  const message = 'a'.repeat(5001);
  await fillForm(page, { ...MESSAGE, message });
  await page.getByRole('button', { name: 'Enviar Mensagem' }).click();
  await page.getByText('A mensagem pode ter no máximo 5000 caracteres.').waitFor();
  expect(await page.getByLabel('Mensagem').inputValue()).toBe(message);
});

test('text that was typed before the scripts loaded is kept', async () => {
  const page = await openAsVisitor('/contact');
  const { whileHeld, release } = createHold();
  await page.route('**/assets/*.js', async (route) => {
    await whileHeld;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await fillForm(page, MESSAGE);
  release();
  await waitForHydration(page);
  for (const [name, value] of Object.entries(MESSAGE)) {
    expect(await page.locator(`[name="${name}"]`).inputValue()).toBe(value);
  }
});

test('a reload restores the typed text until the text is discarded or sent', async () => {
  const page = await openAsVisitor('/contact');
  const reload = async () => {
    await page.reload();
    await waitForHydration(page);
  };
  const readForm = () => Promise.all(Object.keys(MESSAGE).map((name) => page.locator(`[name="${name}"]`).inputValue()));
  const emptyForm = Object.keys(MESSAGE).map(() => '');
  await waitForHydration(page);
  await fillForm(page, MESSAGE);
  await reload();
  await page.getByText('O que você tinha digitado está de volta.').waitFor();
  expect(await readForm()).toEqual(Object.values(MESSAGE));
  await page.getByRole('button', { name: 'Descartar rascunho' }).click();
  expect(await readForm()).toEqual(emptyForm);
  await reload();
  expect(await readForm()).toEqual(emptyForm);
  await fillForm(page, MESSAGE);
  await page.getByRole('button', { name: 'Enviar Mensagem' }).click();
  await page.locator('#contact-answer[data-state="success"]').waitFor();
  await reload();
  expect(await readForm()).toEqual(emptyForm);
  expect(pageErrors).toEqual([]);
});

test.each([
  ['dark', 'dark'],
  ['light', 'light'],
  ['purple', 'light'],
])(
  'with the stored theme %s the first paint is %s, and the choice of the toggle is stored',
  async (storedTheme, expectedTheme) => {
    const page = await openAsVisitor('/');
    await page.evaluate((theme) => localStorage.setItem('theme', theme), storedTheme);
    await page.reload({ waitUntil: 'commit' });
    await page.locator('h1').waitFor();
    expect(await page.locator('html').getAttribute('class')).toBe(expectedTheme);
    await page.waitForLoadState();
    const otherTheme = expectedTheme === 'dark' ? 'light' : 'dark';
    await page.getByRole('button', { name: 'Alternar tema' }).click();
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(otherTheme);
    await page.goto(`${stack.url}/contact`);
    expect(await page.locator('html').getAttribute('class')).toBe(otherTheme);
    expect(pageErrors).toEqual([]);
  },
);

test('the landing page shows a signed-in administrator the links of the console and the logout', async () => {
  const page = await openAsVisitor('/');
  expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['Contato', 'Login']);
  await page.evaluate(() => localStorage.setItem('token', 'x'));
  await page.reload();
  const bar = page.getByRole('navigation').filter({ visible: true });
  expect(await bar.getByRole('link').allInnerTexts()).toEqual([
    'Subdomínios',
    'Tenants',
    'Projetos',
    'Gerenciamento',
    'API Keys',
    'Métricas',
    'Configurações',
  ]);
  await bar.getByRole('button', { name: 'Sair' }).click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('on a phone the links are behind a menu that Escape closes', async () => {
  const page = await openAsVisitor('/');
  await page.setViewportSize(PHONE);
  const contactLink = page.getByRole('banner').getByRole('link', { name: 'Contato' });
  await page.locator('summary').click();
  await contactLink.waitFor();
  await page.keyboard.press('Escape');
  await contactLink.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
});

test('the landing page loads no script file', async () => {
  const page = await openAsVisitor('/');
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /\.m?js(\?|$)/.test(name)),
  );
  expect(scripts).toEqual([]);
});

test.each(['/', '/contact', '/nao-existe'])('%s passes axe and does not scroll sideways', async (path) => {
  const violations: string[] = [];
  for (const check of THEME_CHECKS) {
    const [theme] = check;
    const page = await openAsVisitor(path, { theme, bypassCSP: true });
    if (path === '/contact') {
      await waitForHydration(page);
      await page.getByRole('button', { name: 'Enviar Mensagem' }).click();
      await page.getByRole('alert').getByText('Por favor').waitFor();
    }
    await loadAxe(page);
    for (const viewport of [{ width: 320, height: 640 }, PHONE, { width: 768, height: 1024 }, DESK]) {
      await page.setViewportSize(viewport);
      const violationsOfView = await findViolations(page, check);
      violations.push(...violationsOfView.map((text) => `${theme} ${viewport.width}: ${text}`));
    }
    await page.context().close();
  }
  expect(violations).toEqual([]);
});

test('/favicon.ico is an icon', async () => {
  const response = await fetch(`${stack.url}/favicon.ico`);
  expect(response.status).toBe(200);
  expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]); // One icon.
});
