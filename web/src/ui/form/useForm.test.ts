import { act, renderHook } from '@testing-library/react';
import { startSession } from '../../lib/session';
import { unsavedForms } from '../../lib/unsavedForms';
import { useForm } from './useForm';

const EMPTY = { name: '', port: '', tags: ['a'] };
const KEY = 'draft:things:novo';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

interface Options {
  draft?: string | null;
  scope?: 'dialog' | 'page';
  initial?: typeof EMPTY;
  send?: (values: typeof EMPTY) => Promise<unknown>;
  resetsWhenSaved?: boolean;
  onSaved?: () => void;
}
const form = (options: Options = {}) =>
  renderHook(() =>
    useForm({
      draft: 'things:novo',
      initial: EMPTY,
      check: ({ name, port }): Record<string, string> => ({
        ...(name ? {} : { name: 'Falta o nome.' }),
        ...(port ? {} : { port: 'Falta a porta.' }),
      }),
      send: async () => undefined,
      fallback: 'Falhou.',
      ...options,
    }),
  );

describe('draft', () => {
  test('what is typed is there again after the form was taken away', () => {
    const first = form();
    act(() => first.result.current.change({ name: 'Loja' }));
    first.unmount();
    expect(form().result.current.values).toEqual({ ...EMPTY, name: 'Loja' });
  });

  test('a kept draft gives only fields that the form has, of their type', () => {
    const values = { name: 7, port: '80', gone: 'x' };
    sessionStorage.setItem(KEY, JSON.stringify({ account: '', base: EMPTY, values }));
    expect(form().result.current.values).toEqual({ ...EMPTY, port: '80' });
  });

  test('a draft that came back says so, and goes when it is given up', () => {
    const first = form();
    expect(first.result.current.restored).toBeNull();
    act(() => first.result.current.change({ name: 'Loja' }));
    first.unmount();
    const { result } = form();
    expect(result.current.restored).toMatchObject({ isOutdated: false });
    act(() => result.current.restored?.onDiscard());
    expect(result.current).toMatchObject({ values: EMPTY, restored: null });
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('a draft keeps no field that was not typed in from what was saved since, and says where it differs', () => {
    const first = form({ initial: { ...EMPTY, name: 'Loja', port: '80' } });
    act(() => first.result.current.change({ name: 'Loja nova' }));
    first.unmount();
    const later = form({ initial: { ...EMPTY, name: 'Loja', port: '81' } });
    expect(later.result.current.values).toMatchObject({ name: 'Loja nova', port: '81' });
    expect(later.result.current.restored).toMatchObject({ isOutdated: false });
    later.unmount();
    const renamed = form({ initial: { ...EMPTY, name: 'Outra', port: '81' } });
    expect(renamed.result.current.values.name).toBe('Loja nova');
    expect(renamed.result.current.restored).toMatchObject({ isOutdated: true });
  });

  test('a draft belongs to the account that typed it', () => {
    startSession('a', 'ana');
    const first = form();
    act(() => first.result.current.change({ name: 'Loja' }));
    first.unmount();
    startSession('b', 'bruno');
    expect(form().result.current.values).toEqual(EMPTY);
  });

  test('a form without a name keeps nothing in the browser', () => {
    const { result } = form({ draft: null });
    act(() => result.current.change({ name: 'segredo' }));
    expect(sessionStorage.length).toBe(0);
  });

  test('what was typed and taken back is no change', () => {
    const { result } = form();
    act(() => result.current.change({ name: 'Loja' }));
    expect(unsavedForms(false)).toHaveLength(1);
    act(() => result.current.change({ name: '' }));
    expect(unsavedForms(false)).toHaveLength(0);
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('a form of the page is lost only with its path; a discarded one is not kept', () => {
    const { result } = form({ scope: 'page' });
    act(() => result.current.change({ name: 'Loja' }));
    expect(unsavedForms(false)).toHaveLength(0);
    for (const lost of unsavedForms(true)) lost.discard();
    expect(unsavedForms(true)).toHaveLength(0);
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });
});

describe('errors', () => {
  test('go from a field that changes, and stay at the others', async () => {
    const { result } = form();
    await act(async () => result.current.submit());
    expect(result.current.errors).toEqual({ name: 'Falta o nome.', port: 'Falta a porta.' });
    act(() => result.current.text('name').onChange('L'));
    expect(result.current.errors).toEqual({ port: 'Falta a porta.' });
    expect(result.current.text('port')).toMatchObject({ value: '', error: 'Falta a porta.' });
  });

  test('a change without errors changes nothing but the value', () => {
    const { result } = form();
    const before = result.current.errors;
    act(() => result.current.change({ name: 'L' }));
    expect(result.current.errors).toBe(before);
  });
});

describe('saving', () => {
  const filled = { name: 'Loja', port: '80' };

  test('sends what is typed; then the form is clean, before anybody navigates', async () => {
    const send = jest.fn(async () => undefined);
    const unsaved: number[] = [];
    const { result } = form({ send, onSaved: () => unsaved.push(unsavedForms(true).length) });
    act(() => result.current.change(filled));
    await act(async () => result.current.submit());
    expect(send).toHaveBeenCalledWith({ ...EMPTY, ...filled }, undefined);
    expect(unsaved).toEqual([0]);
    expect(result.current.values).toEqual({ ...EMPTY, ...filled });
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('a form that stays begins again', async () => {
    const { result } = form({ resetsWhenSaved: true });
    act(() => result.current.change(filled));
    await act(async () => result.current.submit());
    expect(result.current.values).toEqual(EMPTY);
    expect(unsavedForms(true)).toHaveLength(0);
  });

  test('a failed send keeps what is typed, and its draft', async () => {
    const { result } = form({ send: () => Promise.reject(new Error('offline')) });
    act(() => result.current.change(filled));
    await act(async () => result.current.submit());
    expect(result.current.failure).toEqual({ sentence: 'Falhou.' });
    expect(result.current.values).toEqual({ ...EMPTY, ...filled });
    expect(unsavedForms(true)).toHaveLength(1);
    expect(sessionStorage.getItem(KEY)).not.toBeNull();
  });
});
