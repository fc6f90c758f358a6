import { localStore } from './safeStorage';

const throwSecurityError = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

afterEach(() => {
  jest.restoreAllMocks();
  localStorage.clear();
});

test('values are stored in the browser', () => {
  localStore.set('a', '1');
  expect(localStorage.getItem('a')).toBe('1');
  expect(localStore.get('a')).toBe('1');
  expect(localStore.keys()).toContain('a');
  localStore.remove('a');
  expect(localStore.get('a')).toBeNull();
});

test('if the browser refuses storage, values are kept in memory', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(throwSecurityError);
  expect(localStore.get('a')).toBeNull();
  localStore.set('a', '1');
  expect(localStore.get('a')).toBe('1');
  expect(localStore.keys()).toEqual(['a']);
  localStore.remove('a');
  expect(localStore.get('a')).toBeNull();
});
