import { ENDS, Inspection } from './support/inspection';
import { addressOf, SCREENS } from './support/screens';

let inspection: Inspection;

beforeAll(async () => {
  inspection = await Inspection.start();
});
afterAll(() => inspection?.stop());

test.each(SCREENS)('axe finds no violation on %s while it is empty, in both themes', async (screen) => {
  await inspection.visit(screen);
  expect(await inspection.inspect(ENDS)).toEqual([]);
});

test.each(SCREENS)('axe finds no violation on %s while it loads, and after a failed load', async (screen) => {
  const { page, stack } = inspection;
  let fail = () => {};
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/graphql', async (route) => {
    await failing;
    await route.abort().catch(() => undefined);
  });
  await page.goto(await addressOf(screen, stack));
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
  await page.getByRole('status', { name: 'Carregando' }).first().waitFor();
  expect(await inspection.inspect(ENDS)).toEqual([]);
  fail();
  await page.getByRole('button', { name: 'Tentar novamente' }).first().waitFor();
  expect(await inspection.inspect(ENDS)).toEqual([]);
  await page.unroute('**/graphql');
});

test('axe finds no violation without a network', async () => {
  const { page } = inspection;
  await inspection.visit('/projects');
  await page.context().setOffline(true);
  // A machine that had no network before does not report this change.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByText(/^Você está sem conexão\./).waitFor();
  expect(await inspection.inspect()).toEqual([]);
  await page.context().setOffline(false);
});
