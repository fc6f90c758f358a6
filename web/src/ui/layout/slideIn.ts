import { whenIdle } from '../../lib/browser/whenIdle';

type Engine = typeof import('framer-motion/dom/mini');
let loadedEngine: Engine | undefined;

/** Loads the motion engine when the screen is idle (docs/decisions/137). Without the engine, nothing moves. */
export function preloadMotion(): void {
  whenIdle()
    .then(() => import('framer-motion/dom/mini'))
    .then((motion) => {
      loadedEngine = motion;
    })
    .catch(() => undefined);
}

/** Moves an element to its place from `x` and `y` pixels away, unless the user prefers reduced motion. */
export function slideIn(element: HTMLElement | null, { x = 0, y = 0 }: { x?: number; y?: number }): void {
  if (!element || !loadedEngine || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  loadedEngine.animate(
    element,
    { opacity: [0, 1], transform: [`translate(${x}px, ${y}px)`, 'none'] },
    { duration: 0.18, ease: [0.2, 0.8, 0.2, 1] },
  );
}
