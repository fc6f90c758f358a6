import { localStore } from '../lib/browser/safeStorage';

const KEY = 'theme';
/** The background of each theme, for the browser's bars. */
const CANVAS = { light: '#fafaf7', dark: '#0d1214' };

/** Shows a theme. Any value except `dark` is light. Transitions pause, so that no colour fades through grey. */
function applyTheme(stored: string | null): void {
  const theme = stored === 'dark' ? 'dark' : 'light';
  const root = document.documentElement;
  root.setAttribute('data-switching', '');
  root.classList.remove('dark', 'light');
  root.classList.add(theme);
  root.style.colorScheme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', CANVAS[theme]);
  requestAnimationFrame(() => requestAnimationFrame(() => root.removeAttribute('data-switching')));
}

/** Switches between light and dark and stores the choice. */
export function toggleTheme(): void {
  const nextTheme = document.documentElement.classList.contains('dark') ? 'light' : 'dark';
  localStore.set(KEY, nextTheme);
  applyTheme(nextTheme);
}

/** Follows a change of the theme in another tab. Returns a function that stops following. */
export function followTheme(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) applyTheme(event.newValue);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
