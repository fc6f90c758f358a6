import 'react';

declare module 'react' {
  /** Lets `style` set custom properties. */
  interface CSSProperties {
    [property: `--${string}`]: string | undefined;
  }
}
