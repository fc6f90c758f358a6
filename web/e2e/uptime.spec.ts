import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/testing/program';
import { listen, type RunningServer } from '../../scripts/testing/server';
import { startConsole } from './support/console';
import { controls } from './support/controls';

let page: Page;
const { button } = controls(() => page);
let target: RunningServer;
const app = startConsole({
  environment: { HEALTH_INTERVAL_S: '10' },
  setUp: async (stack) => {
    target = await listen((_, response) => response.end('ok'));
    await stack.create('/subdomains', { subdomain: 'loja', description: 'Loja', type: 'proxy', port: target.port });
    await stack.create('/subdomains', { subdomain: 'parado', description: 'Parado', type: 'proxy', port: 1 });
    for (const [label, expectedPercent] of Object.entries({ loja: 100, parado: 0 }))
      await waitFor(`an availability of ${expectedPercent} %`, async () => {
        const uptime = (await stack.request('GET', `/uptime?subdomain=${label}&days=90`)) as { percent: number | null };
        return uptime.percent === expectedPercent;
      });
  },
  onPage: (newPage) => {
    page = newPage;
  },
});
afterAll(() => target?.stop());

test('an outage that is not confirmed yet is shown beside the availability', async () => {
  await page.goto(`${app.stack.url}/admin`);
  await page.getByRole('row', { name: /loja/ }).getByText('100%').waitFor();
  await target.stop();
  await button('Verificar loja agora').click();
  await page
    .getByRole('row', { name: /Fora do ar/ })
    .getByText('100% · queda a confirmar')
    .waitFor();
  await page.goto(`${app.stack.url}/admin/subdomains/loja`);
  await page.getByText('Nenhuma queda. Uma queda está sendo confirmada.').waitFor();
  await page.getByText('em curso').waitFor({ timeout: 120_000 }); // Three failures, 10 s apart, confirm an outage.
  expect(await page.getByText('Uma queda está sendo confirmada.').count()).toBe(0);
});

test('a narrow column shows only the percentage of the availability, and a wide column shows the outages beside it', async () => {
  await page.goto(`${app.stack.url}/admin`);
  const text = page.getByRole('row', { name: /parado/ }).getByText(/^0% · 1 queda, em curso/);
  await text.waitFor();
  for (const [width, isBeside] of [
    [1280, false],
    [1920, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const [line, outages] = [await text.boundingBox(), await text.locator('span').boundingBox()];
    // A second line is hidden, because the text is one line high.
    expect([width, line?.height, outages?.y === line?.y]).toEqual([width, 20, isBeside]);
  }
});

test('on a phone, the health of a card, its bar of 90 days and the text below are at least 4 px apart', async () => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(`${app.stack.url}/admin`);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /parado/ }) });
  const text = card.getByText(/^0% · 1 queda, em curso/);
  const readBox = async (locator: Locator) => (await locator.boundingBox()) ?? { y: 0, height: 0 };
  const boxes = [
    await readBox(text.locator('xpath=../preceding-sibling::*')),
    await readBox(text.locator('xpath=../*[1]')),
    await readBox(text),
  ];
  const gaps = boxes.slice(1).map(({ y }, index) => y - ((boxes[index]?.y ?? 0) + (boxes[index]?.height ?? 0)));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4);
});
