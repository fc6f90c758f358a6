import { localStore } from '../lib/browser/safeStorage';
import { CANVAS } from '../ui/theme/canvas';

const KEY = 'theme';

/** Shows the stored theme on the page and in the browser's bars. Any value except `dark` is light (product §4). */
export function showTheme(stored = localStore.get(KEY)): void {
  const theme = stored === 'dark' ? 'dark' : 'light';
  const root = document.documentElement;
  root.classList.remove('dark', 'light');
  root.classList.add(theme);
  root.style.colorScheme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', CANVAS[theme]);
}

/** Changes the theme of a painted page. Transitions pause, so that no colour fades through grey. */
function changeTheme(stored: string | null): void {
  const root = document.documentElement;
  root.setAttribute('data-switching', '');
  showTheme(stored);
  requestAnimationFrame(() => requestAnimationFrame(() => root.removeAttribute('data-switching')));
}

/** Switches between light and dark and stores the choice. */
export function toggleTheme(): void {
  const nextTheme = document.documentElement.classList.contains('dark') ? 'light' : 'dark';
  localStore.set(KEY, nextTheme);
  changeTheme(nextTheme);
}

/** Follows a change of the theme in another tab. Returns a function that stops following. */
export function followTheme(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) changeTheme(event.newValue);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
