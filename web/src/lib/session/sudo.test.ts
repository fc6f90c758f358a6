import { renderHook } from '@testing-library/react';
import { endSession, startSession } from './session';
import { askForPassword, useSudoRequest } from './sudo';

test('the end of a session closes the question for the password and refuses the waiting calls', async () => {
  startSession('token', 'admin');
  const answers = [askForPassword(), askForPassword()];
  endSession();
  expect(await Promise.all(answers)).toEqual([false, false]);
  const { result } = renderHook(() => useSudoRequest());
  expect(result.current).toBeNull();
});
