import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { isDialogOpen } from '../lib/browser/isDialogOpen';

/**
 * Focuses the screen's heading. It skips the heading of a loading screen, whose removal would lose the focus.
 * @returns whether there is a heading
 */
function focusHeading(content: HTMLElement): boolean {
  const heading = content.querySelector<HTMLElement>('h1:not([data-loading])');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/**
 * After a navigation within the app, moves the focus to the heading of the new screen and announces its title, as after
 * a page load. A screen with an `autoFocus` field keeps the focus there.
 * @returns the text of the live region
 */
export function useAnnouncedNavigation(): string {
  const { pathname } = useLocation();
  const [title, setTitle] = useState('');
  const lastPath = useRef(pathname);
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    setTitle(document.title);
    // An open dialog keeps the focus.
    if (isDialogOpen()) return;
    const content = document.getElementById('content');
    // A field that has focused itself keeps the focus.
    if (!content || content.querySelector('input:focus') || focusHeading(content)) return;
    // The heading appears when the screen has its data.
    content.focus({ preventScroll: true });
    const observer = new MutationObserver(() => {
      if (document.activeElement !== content || focusHeading(content)) observer.disconnect();
    });
    observer.observe(content, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [pathname]);
  return title;
}
