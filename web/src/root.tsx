import geistFontUrl from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url';
import type { ReactNode } from 'react';
import { Links, Meta, Outlet } from 'react-router';
import { ConsoleSkeleton } from './app/ConsoleSkeleton';
import { CrashPage } from './app/CrashPage';
import { PageScripts } from './app/PageScripts';
import { iconLinks } from './app/static/icon-links';
import themeScript from './app/theme-script?script';
import { getSitesDomain } from './lib/hosts/host';
import { getBrand } from './lib/page/brand';

export const meta = () => [{ title: getBrand() }];

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: geistFontUrl, crossOrigin: 'anonymous' as const },
  ...iconLinks,
];

/** The document around every page. */
export function Layout({ children }: { children: ReactNode }) {
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
      <body>{children}</body>
    </html>
  );
}

/** The page that starts the console. */
export const HydrateFallback = () => (
  <>
    <ConsoleSkeleton />
    <PageScripts />
  </>
);

export const ErrorBoundary = CrashPage;

export default function Root() {
  return <Outlet />;
}
