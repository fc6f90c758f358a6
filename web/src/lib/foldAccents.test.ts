import { foldAccents } from './foldAccents';

test('compares without case and accents', () => {
  expect(foldAccents('ÁGUA São João')).toBe('agua sao joao');
});
