import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
const target = createServer((_, response) => response.end('ok'));
let port = 0;
const app = startConsole({
  setUp: async (stack) => {
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const address = target.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
afterAll(() => void target.close());

const checkSubdomain = () => app.stack.request('POST', '/subdomains/loja/check');
const startTarget = () => new Promise<void>((resolve) => target.listen(port, '127.0.0.1', resolve));
const stopTarget = () => {
  target.closeAllConnections();
  return new Promise((resolve) => target.close(resolve));
};
const overview = () => page.locator('summary', { hasText: 'Visão geral' });

test('the list and the overview show a change of health without a reload, and relative times advance', async () => {
  await checkSubdomain();
  await page.clock.install();
  await page.goto(`${app.stack.url}/admin`);
  await page.getByText('verificado agora').waitFor();
  await overview().getByText('Tudo em ordem').waitFor();
  // Timers advance by less than the polling interval, so the text must change without a response of the server.
  await page.clock.setSystemTime(Date.now() + 5 * 60_000);
  await page.clock.runFor(10_000);
  await page.getByText('verificado há 5 minutos').waitFor();
  await stopTarget();
  await checkSubdomain();
  await page.clock.runFor(15_000);
  const reason = page.getByText(`Ninguém atende na porta ${port}. · verificado`);
  await reason.waitFor();
  // The reason is on a separate line below the chip and the availability.
  const { x = 0, y = 0 } = (await reason.boundingBox()) ?? {};
  const chip = await page.getByRole('table').getByText('Fora do ar', { exact: true }).boundingBox();
  expect(y).toBeGreaterThanOrEqual((chip?.y ?? Infinity) + (chip?.height ?? 0));
  expect(x).toBe(chip?.x);
  await overview().getByText('1 subdomínio fora do ar').waitFor();
  await startTarget();
});

test('a manual check updates the row and the overview', async () => {
  await checkSubdomain();
  await page.goto(`${app.stack.url}/admin`);
  await overview().getByText('Tudo em ordem').waitFor();
  await stopTarget();
  await button('Verificar loja agora').click();
  await page.getByRole('table').getByText('Fora do ar', { exact: true }).waitFor();
  await overview().getByText('1 subdomínio fora do ar').waitFor();
  await startTarget();
});
