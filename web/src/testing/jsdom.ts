import { TextDecoder, TextEncoder } from 'node:util';

/** jsdom has no layout, so no element changes its size. */
class ResizeObserverStub {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Adds globals that jsdom lacks: the router encodes text, and the virtual list observes sizes and sets the scroll position. */
Object.assign(globalThis, { TextDecoder, TextEncoder, ResizeObserver: ResizeObserverStub, scrollTo: () => undefined });
