import 'react';

declare module 'react' {
  /** Custom properties may be given in `style`. */
  interface CSSProperties {
    [property: `--${string}`]: string | undefined;
  }
}
