import type { Page } from 'playwright-core';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
let target: RunningServer;
const startTarget = async (port?: number) => {
  target = await listen((_, response) => response.end('ok'), port);
};
const app = startConsole({
  setUp: async (stack) => {
    await startTarget();
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: target.port });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
afterAll(() => target?.stop());

const checkSubdomain = () => app.stack.request('POST', '/subdomains/loja/check');
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
  await target.stop();
  await checkSubdomain();
  await page.clock.runFor(15_000); // The polling interval.
  const reason = page.getByText(`Ninguém atende na porta ${target.port}. · verificado`);
  await reason.waitFor();
  // The reason is on a separate line below the chip and the availability.
  const { x = 0, y = 0 } = (await reason.boundingBox()) ?? {};
  const chip = await page.getByRole('table').getByText('Fora do ar', { exact: true }).boundingBox();
  expect(y).toBeGreaterThanOrEqual((chip?.y ?? Infinity) + (chip?.height ?? 0));
  expect(x).toBe(chip?.x);
  await overview().getByText('1 subdomínio fora do ar').waitFor();
  await startTarget(target.port);
});

test('a manual check updates the row and the overview', async () => {
  await checkSubdomain();
  await page.goto(`${app.stack.url}/admin`);
  await overview().getByText('Tudo em ordem').waitFor();
  await target.stop();
  await button('Verificar loja agora').click();
  await page.getByRole('table').getByText('Fora do ar', { exact: true }).waitFor();
  await overview().getByText('1 subdomínio fora do ar').waitFor();
  await startTarget(target.port);
});
