import { Scripts, ScrollRestoration } from 'react-router';

/** Loads React. `StaticShell` leaves these scripts out, so that static pages ship without React. */
export const PageScripts = () => (
  <>
    <ScrollRestoration />
    <Scripts />
  </>
);
