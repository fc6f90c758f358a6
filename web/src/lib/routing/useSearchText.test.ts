import { act, renderHook } from '@testing-library/react';
import { BrowserRouter, useNavigate } from 'react-router';
import { useSearchText } from './useSearchText';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const renderAt = (url: string) => {
  window.history.replaceState(null, '', url);
  const useHooks = () => ({ search: useSearchText(), navigate: useNavigate() });
  const { result } = renderHook(useHooks, { wrapper: BrowserRouter });
  return {
    getText: () => result.current.search[0],
    type: (text: string) => act(() => result.current.search[1](text)),
    navigate: (nextUrl: string) => act(() => void result.current.navigate(nextUrl)),
    advance: (ms: number) => act(() => jest.advanceTimersByTime(ms)),
  };
};

test('the search text starts with the value of the URL', () => {
  expect(renderAt('/projects?q=loja').getText()).toBe('loja');
});

test('typed text is shown at once, but replaces the history entry only after a pause', () => {
  const search = renderAt('/projects?sort=name');
  const entryCount = window.history.length;
  search.type('lo');
  search.advance(200);
  search.type('loja');
  search.advance(200);
  expect(search.getText()).toBe('loja');
  expect(window.location.search).toBe('?sort=name');
  search.advance(100);
  expect(window.location.search).toBe('?sort=name&q=loja');
  expect(window.history.length).toBe(entryCount);
});

test('an emptied search field removes its parameter from the URL', () => {
  const search = renderAt('/projects?q=loja');
  search.type('');
  search.advance(300);
  expect(window.location.search).toBe('');
});

test('a navigation replaces typed text', () => {
  const search = renderAt('/projects?q=loja');
  search.type('loja nova');
  search.navigate('/projects?q=padaria');
  expect(search.getText()).toBe('padaria');
  search.advance(300);
  expect(window.location.search).toBe('?q=padaria');
});
