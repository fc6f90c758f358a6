import { act, renderHook } from '@testing-library/react';
import { useAction } from './useAction';

test('presses of the button are ignored until the response arrives', async () => {
  const responses: (() => void)[] = [];
  const send = jest.fn(() => new Promise<void>((resolve) => responses.push(resolve)));
  const { result } = renderHook(() => useAction({ send, failureMessage: 'Falhou.' }));
  await act(async () => {
    void result.current.run();
    void result.current.run();
  });
  expect(send).toHaveBeenCalledTimes(1);
  expect(result.current.isPending).toBe(true);
  await act(async () => responses[0]?.());
  expect(result.current.isPending).toBe(false);
  await act(async () => void result.current.run());
  expect(send).toHaveBeenCalledTimes(2);
});

test('a failed call shows the failure message, and the button is no longer busy', async () => {
  const send = () => Promise.reject(new Error('offline'));
  const { result } = renderHook(() => useAction({ send, failureMessage: 'Falhou.' }));
  await act(async () => void result.current.run());
  expect(result.current).toMatchObject({ isPending: false, failure: { message: 'Falhou.' } });
});
