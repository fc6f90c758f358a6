import { foldAccents } from './foldAccents';

test('a folded text has neither capitals nor accents', () => {
  expect(foldAccents('ÁGUA São João')).toBe('agua sao joao');
});
