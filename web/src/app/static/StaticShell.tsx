import { Outlet } from 'react-router';
import { brand } from '../../lib/brand';
import display from '../../ui/fonts/bricolage-display.woff2?url';
import { SevenTicks } from '../../ui/layout/SevenTicks';
import { appMessages as messages } from '../app.messages';
import { paths } from '../paths';
import { headScript, pageScript } from './page-script';
import css from './static.css?inline';

/** The BFF replaces this placeholder (decision 221). */
const YEAR = '__YEAR__';

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: display, crossOrigin: 'anonymous' as const },
];

/** The root leaves out React's scripts for routes with this handle. */
export const handle = { hydrate: false };

const Sun = () => (
  <svg className="sun" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4" />
  </svg>
);

const Moon = () => (
  <svg className="moon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z" />
  </svg>
);

const Links = ({ of }: { of: 'visitor' | 'administrator' }) => (
  <>
    {messages[of].map(({ label, to }) => (
      <a key={to} href={to}>
        {label}
      </a>
    ))}
    {of === 'administrator' && (
      <button type="button" data-logout="">
        {messages.logout}
      </button>
    )}
  </>
);

function TopBar() {
  return (
    <header className="top">
      <div className="wrap">
        <a className="mark" href={paths.home} aria-label={`${brand()}, ${messages.home}`}>
          <SevenTicks />
          {brand()}
        </a>
        <nav className="links out" aria-label={messages.navigation}>
          <Links of="visitor" />
        </nav>
        <nav className="links in" aria-label={messages.navigation}>
          <Links of="administrator" />
        </nav>
        <button className="theme" type="button" aria-label={messages.theme}>
          <Sun />
          <Moon />
        </button>
        <details className="menu">
          <summary aria-label={messages.menu}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 7h16M4 12h16M4 17h16" />
            </svg>
          </summary>
          <nav aria-label={messages.menu}>
            <div className="out">
              <Links of="visitor" />
            </div>
            <div className="in">
              <Links of="administrator" />
            </div>
          </nav>
        </details>
      </div>
    </header>
  );
}

/** Top bar and footer of the pages that ship without React: plain links, `<details>` as menu, one small script. */
export default function StaticShell() {
  return (
    <>
      <style href="static" precedence="page">
        {css}
      </style>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
      <script dangerouslySetInnerHTML={{ __html: headScript }} />
      <a className="skip" href="#content">
        {messages.skip}
      </a>
      <TopBar />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="foot">
        <div className="wrap">
          <p>{`© ${YEAR} ${brand()}. ${messages.rights}.`}</p>
          <a href={paths.contact}>{messages.visitor[0].label}</a>
        </div>
      </footer>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
      <script dangerouslySetInnerHTML={{ __html: pageScript }} />
    </>
  );
}
