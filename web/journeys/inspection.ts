import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../scripts/testing/program';
import { Stack } from '../../scripts/testing/stack';
import { loadAxe, THEMES, violations } from './axe';
import { launch, open, watchNetwork } from './browser';

export const PHONE = 360;
const DESK = 1280;
export const WIDTHS = [PHONE, 768, DESK];
/** Of a screen that shows little: the filled one has every width. */
export const ENDS = [PHONE, DESK];

/** Switches the theme as another tab would, since the button lies behind a dialog; the page then stands still. */
const show = (page: Page, theme: string) =>
  page.evaluate(async (newValue) => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue }));
    const shape = () =>
      `${document.documentElement.scrollHeight} ${window.scrollY} ${document.querySelectorAll('*').length}`;
    let last = '';
    for (let still = 0; still < 2; ) {
      await new Promise(requestAnimationFrame);
      const isSame = shape() === last && !document.documentElement.hasAttribute('data-switching');
      still = isSame ? still + 1 : 0;
      last = shape();
    }
  }, theme);

const idOf = async (stack: Stack, path: string, body: object) => String((await stack.create(path, body))._id);

/** The console in a browser, before the eyes of axe. */
export class Inspection {
  /** What the gateway's service waits for before it shows its manifest. */
  answering: Promise<void> = Promise.resolve();
  private readonly service = createServer(async (_request, response) => {
    await this.answering;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([{ method: 'GET', path: '/itens/:id', permission: 'itens:ler', summary: 'Um item' }]));
  }).listen(0, '127.0.0.1');

  private constructor(
    readonly stack: Stack,
    readonly page: Page,
    private readonly browser: Browser,
    private readonly networkRests: () => Promise<void>,
  ) {}

  static async start(): Promise<Inspection> {
    const stack = await Stack.start();
    const browser = await launch();
    const { page } = await open(browser, stack, { token: await stack.logIn() });
    const inspection = new Inspection(stack, page, browser, watchNetwork(page));
    await once(inspection.service, 'listening');
    return inspection;
  }

  /** Opens a screen, and waits until it is there as a whole. */
  async visit(path: string): Promise<void> {
    await this.page.setViewportSize({ width: DESK, height: 900 });
    await this.page.goto(this.stack.url + path);
    await this.page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
    await this.networkRests();
  }

  /**
   * What axe finds on the page as it stands, at these widths.
   * @param dark widths at which the colours of the dark theme are checked too: another layout has no others but in lists
   */
  async inspect(widths = WIDTHS, dark = [DESK]): Promise<string[]> {
    const found: string[] = [];
    await loadAxe(this.page);
    for (const width of widths) {
      await this.page.setViewportSize({ width, height: 900 });
      for (const theme of THEMES) {
        const [name] = theme;
        if (name === 'dark' && !dark.includes(width)) continue;
        await show(this.page, name);
        let faults = await violations(this.page, theme);
        if (faults.length > 0) {
          // axe reads a page in pieces: what moved meanwhile can look like a fault, a fault stays one.
          await show(this.page, name);
          faults = await violations(this.page, theme);
        }
        found.push(...faults.map((text) => `${name} ${width}: ${text}`));
      }
    }
    return found;
  }

  /** One of each, a request through the gateway, and a contact message. */
  async fill(): Promise<void> {
    const { stack } = this;
    const { port } = this.service.address() as AddressInfo;
    const project = await idOf(stack, '/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
    const tenant = { name: 'Padaria', project, subdomain: 'padaria', responsibleName: 'Zé' };
    await stack.create('/tenants', tenant);
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 4000 });
    const services = '/gateway/admin/services';
    const estoque = await idOf(stack, services, { name: 'estoque', host: `http://127.0.0.1:${port}` });
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
    const edge = new URL(stack.url).port;
    const call = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { Host: `api.localhost:${edge}`, 'X-API-Key': String(key) };
        get({ port: edge, path: '/estoque/itens/1', headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        }).once('error', reject);
      });
    await until('an answer through the gateway', async () => (await call()) === 200);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
    this.service.closeAllConnections();
    this.service.close();
  }
}
