import { paths } from '../../lib/routing/paths';
import { getToken, watchSession } from '../../lib/session/session';
import { logOut } from '../logout';
import { followTheme, toggleTheme } from '../theme';

/**
 * Runs at the end of a page without React: theme, session, logout, and a menu that closes on Escape and on a click
 * elsewhere. The Content-Security-Policy allows the script by its hash, so the script must have no placeholders.
 */
const menu = document.querySelector<HTMLDetailsElement>('.menu');

followTheme();
watchSession(() => document.documentElement.classList.toggle('session', getToken() !== null));

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest('.theme')) toggleTheme();
  if (target.closest('[data-logout]')) {
    logOut();
    window.location.href = paths.login;
  }
  if (menu && !menu.contains(target)) menu.open = false;
});

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu?.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});
