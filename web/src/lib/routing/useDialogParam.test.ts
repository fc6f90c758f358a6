import { act, configure, renderHook, waitFor } from '@testing-library/react';
import { BrowserRouter } from 'react-router';
import { useDialogParam } from './useDialogParam';

// jsdom navigates back asynchronously, which takes long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

const DIALOGS = ['novo', 'editar'] as const;
const renderAt = (url: string) => {
  window.history.replaceState(null, '', url);
  return renderHook(() => useDialogParam(DIALOGS), { wrapper: BrowserRouter }).result;
};

test('a dialog in the URL is open for the id in the URL', () => {
  expect(renderAt('/tenants?editar=7').current).toMatchObject({ name: 'editar', id: '7' });
  expect(renderAt('/tenants?q=a').current).toMatchObject({ name: null, id: null });
});

test('opening a dialog adds a history entry with the search and the order in its URL', () => {
  const dialog = renderAt('/tenants?q=a&sort=-name');
  const entryCount = window.history.length;
  act(() => dialog.current.open('novo'));
  expect(window.location.search).toBe('?q=a&sort=-name&novo=1');
  expect(window.history.length).toBe(entryCount + 1);
  expect(dialog.current).toMatchObject({ name: 'novo', id: '1' });
});

test('a double click that opens a dialog adds one history entry', () => {
  const dialog = renderAt('/tenants');
  const entryCount = window.history.length;
  act(() => {
    dialog.current.open('novo');
    dialog.current.open('novo');
  });
  expect(dialog.current.name).toBe('novo');
  expect(window.history.length).toBe(entryCount + 1);
});

test('a dialog that another dialog opens replaces the history entry', () => {
  const dialog = renderAt('/tenants?editar=7&q=a');
  const entryCount = window.history.length;
  act(() => dialog.current.open('novo'));
  expect(window.location.search).toBe('?q=a&novo=1');
  expect(window.history.length).toBe(entryCount);
});

test('closing a dialog that the URL opened replaces the history entry, so that Back does not open it again', () => {
  const dialog = renderAt('/tenants?editar=7&q=a');
  const entryCount = window.history.length;
  act(() => dialog.current.close());
  expect(window.location.search).toBe('?q=a');
  expect(window.history.length).toBe(entryCount);
  expect(dialog.current.name).toBeNull();
});

test('closing a dialog that a click opened goes back one history entry, however often it is closed', async () => {
  const dialog = renderAt('/tenants?q=a');
  const entryCount = window.history.length;
  act(() => dialog.current.open('editar', '7'));
  act(() => dialog.current.open('novo'));
  expect(window.history.length).toBe(entryCount + 1);
  act(() => {
    dialog.current.close();
    dialog.current.close();
  });
  await waitFor(() => expect(dialog.current.name).toBeNull());
  expect(window.location.search).toBe('?q=a');
  act(() => window.history.forward());
  await waitFor(() => expect(dialog.current.name).toBe('novo'));
});

test('an unmounted screen does not change the URL', () => {
  window.history.replaceState(null, '', '/tenants?editar=7');
  const { result, unmount } = renderHook(() => useDialogParam(DIALOGS), { wrapper: BrowserRouter });
  const { close } = result.current;
  unmount();
  window.history.replaceState(null, '', '/projects?editar=8');
  close();
  expect(window.location.search).toBe('?editar=8');
});
