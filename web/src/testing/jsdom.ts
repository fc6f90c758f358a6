import { TextDecoder, TextEncoder } from 'node:util';

/** What jsdom leaves out: the router encodes text, and the virtual list sets the scroll position. */
Object.assign(globalThis, { TextDecoder, TextEncoder, scrollTo: () => undefined });
