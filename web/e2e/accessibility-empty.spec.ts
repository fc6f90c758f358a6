import { Inspection, NARROW_AND_WIDE } from './support/inspection';
import { SCREENS_WITHOUT_DATA } from './support/screens';

let inspection: Inspection;

beforeAll(async () => {
  inspection = await Inspection.start();
});
afterAll(() => inspection?.stop());

test.each(SCREENS_WITHOUT_DATA)('axe finds no violation on %s while it is empty, in both themes', async (screen) => {
  await inspection.open(screen);
  expect(await inspection.inspect(NARROW_AND_WIDE)).toEqual([]);
});
