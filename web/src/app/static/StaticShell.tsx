import { Bell, CircleUser, LogOut, Menu, Moon, Sun } from 'lucide-react';
import { Outlet } from 'react-router';
import { getBrand } from '../../lib/page/brand';
import { accountPath, paths } from '../../lib/routing/paths';
import displayFontUrl from '../../ui/fonts/bricolage-display.woff2?url';
import { SevenTicks } from '../../ui/layout/SevenTicks';
import { appMessages as messages } from '../app.messages';
import pageScript from './page-script?script';
import sessionScript from './session-script?script';
import css from './static.css?inline';

/** The BFF replaces this placeholder by the current year (decision 112). */
const YEAR_PLACEHOLDER = '__YEAR__';

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: displayFontUrl, crossOrigin: 'anonymous' as const },
];

const Links = ({ audience }: { audience: 'visitor' | 'administrator' }) => (
  <>
    {messages[audience].map(({ label, to }) => (
      <a key={to} href={to}>
        {label}
      </a>
    ))}
    {audience === 'administrator' && (
      <button type="button" data-logout="">
        <LogOut aria-hidden size={16} />
        {messages.logout}
      </button>
    )}
  </>
);

function TopBar() {
  return (
    <header className="top">
      <div className="wrap">
        <a className="mark" href={paths.home} aria-label={`${getBrand()}, ${messages.home}`}>
          <SevenTicks />
          {getBrand()}
        </a>
        <nav className="links signed-out" aria-label={messages.navigation}>
          <Links audience="visitor" />
        </nav>
        <nav className="links signed-in" aria-label={messages.navigation}>
          <Links audience="administrator" />
        </nav>
        <a className="tool signed-in" href={paths.alerts} aria-label={messages.alerts(0)}>
          <Bell aria-hidden size={20} />
        </a>
        <button className="tool theme" type="button" aria-label={messages.theme}>
          <Sun className="sun" aria-hidden size={20} />
          <Moon className="moon" aria-hidden size={20} />
        </button>
        <a className="tool account signed-in" href={accountPath} aria-label={messages.account.own}>
          <CircleUser aria-hidden size={20} />
        </a>
        <details className="menu">
          <summary className="tool" aria-label={messages.menu}>
            <Menu aria-hidden size={20} />
          </summary>
          <nav aria-label={messages.menu}>
            <div className="signed-out">
              <Links audience="visitor" />
            </div>
            <div className="signed-in">
              <Links audience="administrator" />
            </div>
          </nav>
        </details>
      </div>
    </header>
  );
}

/** Top bar and footer of the pages that ship without React: plain links, `<details>` as menu, small scripts. */
export default function StaticShell() {
  return (
    <>
      <style href="static" precedence="page">
        {css}
      </style>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the script is a constant of the build */}
      <script dangerouslySetInnerHTML={{ __html: sessionScript }} />
      <a className="skip" href="#content">
        {messages.skip}
      </a>
      <TopBar />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="foot">
        <div className="wrap">
          <p>{`© ${YEAR_PLACEHOLDER} ${getBrand()}. ${messages.rights}.`}</p>
          <a href={paths.contact}>{messages.visitor[0].label}</a>
        </div>
      </footer>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the script is a constant of the build */}
      <script dangerouslySetInnerHTML={{ __html: pageScript }} />
    </>
  );
}
