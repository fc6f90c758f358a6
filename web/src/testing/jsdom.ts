import { TextDecoder, TextEncoder } from 'node:util';

/** A page without layout never changes its size. */
class NoResizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Adds globals that jsdom lacks: the router encodes text, and the virtual list observes sizes and sets the scroll position. */
Object.assign(globalThis, { TextDecoder, TextEncoder, ResizeObserver: NoResizes, scrollTo: () => undefined });
