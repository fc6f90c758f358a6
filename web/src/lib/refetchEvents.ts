import { onlineSource, RefetchEventManager, windowFocusSource } from '@apollo/client';
import { EMPTY, filter, fromEvent, merge, throttleTime } from 'rxjs';
import { isOffline } from './connection';

/** Minimum time between two refetches because of the focus. */
const PAUSE_MS = 5_000;

const focus = () =>
  typeof window === 'undefined'
    ? EMPTY
    : merge(windowFocusSource(), fromEvent(window, 'focus')).pipe(
        filter(() => document.visibilityState === 'visible' && !isOffline.get()),
        throttleTime(PAUSE_MS),
      );

/** Refetches the queries on screen when the page is seen again, or the browser is online again. */
export const refetchEvents = () => new RefetchEventManager({ sources: { windowFocus: focus, online: onlineSource } });
