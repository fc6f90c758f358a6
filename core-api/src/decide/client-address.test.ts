import { costOf } from '../testing/cost';
import { clientAddress } from './client-address';

const isProxy = (address: string): boolean => address === '10.0.0.1';
const of = (...forwarded: string[]) => clientAddress('10.0.0.1', forwarded, isProxy);

test.each([
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:1.2.3.4', '1.2.3.4'],
  ['1.2.3.4%eth0', '1.2.3.4%eth0'],
  ['%a::1%b%c', '%a::1'],
  ['1.2.3.4, ::ffff:10.0.0.1', '1.2.3.4'],
])('%s behind a proxy is %s', (forwarded, address) => {
  expect(of(forwarded).address).toBe(address);
});

test('what a stranger says through a proxy is read once, however long it is', () => {
  const text = 'x'.repeat(15_000);
  // A colon that is looked back for from each place costs some thousand times as much as none.
  expect(costOf(() => of(`${text}:`)) / costOf(() => of(text))).toBeLessThan(100);
});
