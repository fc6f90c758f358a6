import { act, renderHook } from '@testing-library/react';
import { useSubmit } from './useSubmit';

const fallback = 'Falhou.';

test('sends once however often it is pressed, and again after an answer', async () => {
  const answers: (() => void)[] = [];
  const send = jest.fn(() => new Promise<void>((resolve) => answers.push(resolve)));
  const { result } = renderHook(() => useSubmit({ send, fallback }));
  await act(async () => {
    void result.current.submit();
    void result.current.submit();
  });
  expect(send).toHaveBeenCalledTimes(1);
  expect(result.current.pending).toBe(true);
  await act(async () => answers[0]?.());
  expect(result.current.pending).toBe(false);
  await act(async () => void result.current.submit());
  expect(send).toHaveBeenCalledTimes(2);
});

test('sends nothing while a field must be corrected', async () => {
  const send = jest.fn(async () => undefined);
  const check = () => ({ name: 'Preencha.', form: 'Faltam campos.' });
  const onRefused = jest.fn();
  const { result } = renderHook(() => useSubmit({ send, check, fallback, onRefused }));
  await act(async () => void result.current.submit());
  expect(send).not.toHaveBeenCalled();
  expect(onRefused).toHaveBeenCalledWith(check());
  expect(result.current.errors.name).toBe('Preencha.');
  expect(result.current.failure).toEqual({ sentence: 'Faltam campos.' });
});

test('a refused call names its fields and frees the form', async () => {
  const error = { errors: [{ extensions: { error: 'Já existe.', fields: { name: 'Já existe.' } } }] };
  const { result } = renderHook(() => useSubmit({ send: () => Promise.reject(error), fallback }));
  await act(async () => void result.current.submit());
  expect(result.current).toMatchObject({
    pending: false,
    failure: { sentence: 'Já existe.' },
    errors: { name: 'Já existe.' },
  });
});
