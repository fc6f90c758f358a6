import { normalise } from './normalise';

test('compares without case and accents', () => {
  expect(normalise('ÁGUA São João')).toBe('agua sao joao');
});
