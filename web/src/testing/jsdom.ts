import { TextDecoder, TextEncoder } from 'node:util';

/** Adds globals that jsdom lacks: the router encodes text, and the virtual list sets the scroll position. */
Object.assign(globalThis, { TextDecoder, TextEncoder, scrollTo: () => undefined });
