import { onlineSource, RefetchEventManager, windowFocusSource } from '@apollo/client';
import { EMPTY, filter, fromEvent, merge, throttleTime } from 'rxjs';
import { isOffline } from './connection';

/** Minimum time between two refetches because of the focus. */
const PAUSE_MS = 5_000;

const refetchOnFocus = () =>
  typeof window === 'undefined'
    ? EMPTY
    : merge(windowFocusSource(), fromEvent(window, 'focus')).pipe(
        filter(() => document.visibilityState === 'visible' && !isOffline.get()),
        throttleTime(PAUSE_MS),
      );

/** Refetches the queries on screen when the page becomes visible or gets the focus, or the browser is online again. */
export const createRefetchEventManager = () =>
  new RefetchEventManager({ sources: { windowFocus: refetchOnFocus, online: onlineSource } });
