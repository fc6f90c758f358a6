import { fillLocation } from './fill-location';

test.each([
  ['https://exemplo.com/x/:splat', 'https://exemplo.com/x/a%20b?x=1'],
  ['https://exemplo.com?q=:splat', 'https://exemplo.com?q=a%20b'],
  ['/novo/:splat', '/novo/a%20b?x=1'],
])(
  'the placeholder of %s is filled, and the query of the request is kept unless the target has a query',
  (to, location) => {
    expect(fillLocation(to, { splat: 'a b' }, '?x=1')).toBe(location);
  },
);
