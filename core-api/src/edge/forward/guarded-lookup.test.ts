import type { LookupAddress } from 'node:dns';
import { guard } from './guarded-lookup';

const look = (answers: LookupAddress[], all: boolean) =>
  new Promise((resolve) => {
    const lookup = guard((_hostname, _options, callback) => callback(null, answers));
    lookup('name.example', { all }, (error, address) => resolve(error ? 'refused' : address));
  });
const v4 = (address: string): LookupAddress => ({ address, family: 4 });

test('a name that stands for a metadata address is not connected to', async () => {
  expect(await look([v4('169.254.169.254')], true)).toBe('refused');
  expect(await look([v4('169.254.169.254')], false)).toBe('refused');
  expect(await look([{ address: '::ffff:169.254.169.254', family: 6 }], true)).toBe('refused');
});

test('its other addresses are', async () => {
  expect(await look([v4('169.254.169.254'), v4('127.0.0.1')], true)).toEqual([v4('127.0.0.1')]);
  expect(await look([v4('169.254.169.254'), v4('10.0.0.1')], false)).toBe('10.0.0.1');
});
