import { TextDecoder, TextEncoder } from 'node:util';

/** In jsdom no element changes its size, because jsdom has no layout. */
class ResizeObserverStub {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/**
 * Adds globals that jsdom lacks. The router uses them to encode text, and the virtual list to observe sizes and to set
 * the scroll position.
 */
Object.assign(globalThis, { TextDecoder, TextEncoder, ResizeObserver: ResizeObserverStub, scrollTo: () => undefined });
