import { useEffect, useEffectEvent, useRef } from 'react';

/** Distance below the window at which the end of the list is near (product §9). */
const NEAR_PX = 200;

/**
 * Calls `onNear` once, when the end of the list comes near the window. The component measures positions (decision 131),
 * because Chromium's IntersectionObserver misses an element that comes near while rows above the element change.
 */
export function Sentinel({ onNear }: { onNear: () => void }) {
  const marker = useRef<HTMLDivElement>(null);
  const callBack = useEffectEvent(onNear);
  useEffect(() => {
    const doneController = new AbortController();
    const { signal } = doneController;
    const check = () => {
      if (signal.aborted || !marker.current) return;
      if (marker.current.getBoundingClientRect().top > window.innerHeight + NEAR_PX) return;
      doneController.abort();
      callBack();
    };
    window.addEventListener('scroll', check, { passive: true, signal });
    window.addEventListener('resize', check, { signal });
    // The observer also calls `check` when it starts.
    const heightObserver = new ResizeObserver(check);
    heightObserver.observe(document.body);
    signal.addEventListener('abort', () => heightObserver.disconnect());
    return () => doneController.abort();
  }, []);
  return <div ref={marker} />;
}
