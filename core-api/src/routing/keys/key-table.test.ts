import { fc } from '../../testing/properties';
import { digestSecret, KeyTable } from './key-table';

const createUuid = (index: number) => `019a1b2c-3d4e-7f50-8a61-${digestSecret(`id ${index}`).slice(0, 12)}`;
/** Returns a UUID, or a different kind of id for every tenth key. */
const createId = (key: number) => (key % 10 === 0 ? `key ${key}` : createUuid(key));

test('after any changes, the table finds the same keys as a plain map', () => {
  const change = fc.record({
    key: fc.nat(60),
    action: fc.constantFrom('set', 'set', 'rotate', 'remove'),
    secret: fc.nat(5),
    requests: fc.option(fc.integer({ min: 1, max: 3 })),
    disabled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
      const table = new KeyTable();
      const expectedKeys = new Map<number, { secret: string; requests: number | undefined; disabled: boolean }>();
      for (const { key, action, secret, requests, disabled } of changes) {
        const id = createId(key);
        const text = `${key}/${secret}`;
        if (action === 'remove') {
          table.remove(id);
          expectedKeys.delete(key);
          continue;
        }
        table.set({
          id,
          digest: digestSecret(text),
          permissions: [`recurso${key % 3}:ler`],
          allowedIps: [],
          disabled,
          rateLimit: requests === null ? null : { requests, seconds: 60 },
          ...(action === 'rotate' && {
            previousDigest: digestSecret(`${text} before`),
            previousExpiresAt: '2026-01-01T00:00:00Z',
          }),
        });
        expectedKeys.set(key, { secret: text, requests: requests ?? undefined, disabled });
        expect(table.find(`${text} before`)?.id).toBe(action === 'rotate' ? id : undefined);
      }
      const keys = Array.from({ length: 61 }, (_, key) => key);
      const actual = keys.flatMap((key) =>
        [0, 1, 2, 3, 4, 5].map((secret) => {
          const { id, rateLimit, disabled, permits } = table.find(`${key}/${secret}`) ?? {};
          return [id, rateLimit?.requests, disabled, permits?.(`recurso${key % 3}:ler`), permits?.('outro:ler')];
        }),
      );
      const expected = keys.flatMap((key) =>
        [0, 1, 2, 3, 4, 5].map((secret) => {
          const row = expectedKeys.get(key);
          if (row?.secret !== `${key}/${secret}`) return [undefined, undefined, undefined, undefined, undefined];
          return [createId(key), row.requests, row.disabled, true, false];
        }),
      );
      expect(actual).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('removed keys are not found among 5,000 keys, and a key that is added again is found', () => {
  const table = new KeyTable();
  const addKey = (index: number) =>
    table.set({ id: createUuid(index), digest: digestSecret(`secret ${index}`), permissions: ['*'], allowedIps: [] });
  for (let index = 0; index < 5_000; index += 1) addKey(index);
  for (let index = 0; index < 5_000; index += 3) table.remove(createUuid(index));
  const indexes = Array.from({ length: 5_000 }, (_, index) => index);
  expect(indexes.map((index) => table.find(`secret ${index}`)?.id)).toEqual(
    indexes.map((index) => (index % 3 === 0 ? undefined : createUuid(index))),
  );
  for (let index = 0; index < 5_000; index += 6) addKey(index);
  expect([0, 3, 6].map((index) => table.find(`secret ${index}`)?.id)).toEqual([
    createUuid(0),
    undefined,
    createUuid(6),
  ]);
});
