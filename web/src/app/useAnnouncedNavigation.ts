import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Does for a navigation within the app what a page load does by itself: moves the focus to the new screen's heading and
 * announces its title.
 * @returns the text of the live region
 */
export function useAnnouncedNavigation(): string {
  const { pathname } = useLocation();
  const [title, setTitle] = useState('');
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    setTitle(document.title);
    // A dialog over the screens keeps the focus.
    if (document.querySelector('[role$="dialog"]')) return;
    const heading = document.querySelector<HTMLElement>('#content h1') ?? document.getElementById('content');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname]);
  return title;
}
