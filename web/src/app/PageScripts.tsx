import { Scripts, ScrollRestoration } from 'react-router';

/** Starts React. `StaticShell` does not render it, so its pages ship without React. */
export const PageScripts = () => (
  <>
    <ScrollRestoration />
    <Scripts />
  </>
);
