import geistFontUrl from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url';
import { type ReactNode, useContext } from 'react';
import {
  UNSAFE_FrameworkContext as FrameworkContext,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
} from 'react-router';
import { ConsoleSkeleton } from './app/ConsoleSkeleton';
import { CrashPage } from './app/CrashPage';
import { siteLinks } from './app/static/site-links';
import { themeScript } from './app/themeScript';
import { getSitesDomain } from './lib/hosts/host';
import { getBrand } from './lib/page/brand';

export const meta = () => [{ title: getBrand() }];

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: geistFontUrl, crossOrigin: 'anonymous' as const },
  ...siteLinks,
];

/**
 * Routes that export `handle = { hydrate: false }` are plain pages: they ship without React. The page that starts the
 * console is rendered at `/` too, but without the routes below the root. The router marks that page with `isSpaMode`.
 */
function useShouldHydrate(): boolean {
  const startsConsole = useContext(FrameworkContext)?.isSpaMode;
  const isPlain = useMatches().some(
    ({ handle }) => typeof handle === 'object' && handle !== null && 'hydrate' in handle && handle.hydrate === false,
  );
  return startsConsole || !isPlain;
}

/** The document around every page. */
export function Layout({ children }: { children: ReactNode }) {
  const shouldHydrate = useShouldHydrate();
  return (
    <html lang="pt-BR" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="application-name" content={getBrand()} />
        <meta name="sites-domain" content={getSitesDomain()} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant that must run before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {shouldHydrate && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export const HydrateFallback = ConsoleSkeleton;

export const ErrorBoundary = CrashPage;

export default function Root() {
  return <Outlet />;
}
