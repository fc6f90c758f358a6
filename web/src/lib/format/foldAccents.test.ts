import { foldAccents } from './foldAccents';

test('case and accents do not matter in a comparison', () => {
  expect(foldAccents('ÁGUA São João')).toBe('agua sao joao');
});
