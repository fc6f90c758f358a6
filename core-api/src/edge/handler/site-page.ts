import { ACCESS_PATH } from '../../routing/hosts/access-cookie';
import type { Branding, HostPolicy } from '../../routing/hosts/host-policy';
import { errorPages, sitePageMessages as messages } from './pages.messages';
import { escapeHtml, renderPage } from './render-page';

const STYLE = `form{display:flex;flex-wrap:wrap;gap:8px;margin-top:24px}
label{flex-basis:100%;font-weight:600}
input,button{font:inherit;padding:10px 14px;border-radius:6px;border:1px solid var(--muted);background:var(--paper);color:inherit;min-width:0}
input{flex:1 1 12rem}
button{background:var(--brand);border-color:var(--brand);color:var(--paper);font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
img{display:block;max-height:64px;max-width:240px;margin-bottom:32px}
strong.name{display:block;margin-bottom:32px;font-size:20px}
.note{margin-top:16px;color:#b3261e}
@media (prefers-color-scheme:dark){.note{color:#ffb4ab}}
`;

/** Returns whether white text is more readable on a color than dark text (relative luminance, WCAG 2). */
function isDark(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179;
}

function renderBranding(branding: Branding | undefined): { mark?: string; style: string } | undefined {
  if (!branding) return undefined;
  const { name, logoPng, accent } = branding;
  const escapedName = escapeHtml(name ?? '');
  const mark = logoPng
    ? `<img src="data:image/png;base64,${logoPng}" alt="${escapedName}">`
    : name && `<strong class="name">${escapedName}</strong>`;
  if (!mark && !accent) return undefined;
  const buttonRule = accent
    ? `button{background:${accent};border-color:${accent};color:${isDark(accent) ? '#fff' : '#14181f'}}\n`
    : '';
  return { ...(mark && { mark }), style: buttonRule };
}

function renderPasswordForm(target: string): string {
  const [path = '/', query = ''] = target.split('?', 2);
  const parameters = new URLSearchParams(query);
  const note = messages.failures.get(parameters.get('studio-access') ?? '');
  parameters.delete('studio-access');
  const to = parameters.size > 0 ? `${path}?${parameters}` : path;
  return `${note ? `<p class="note" role="alert">${note}</p>` : ''}
<form method="post" action="${ACCESS_PATH}">
<label for="password">${messages.password}</label>
<input id="password" name="password" type="password" required autocomplete="current-password">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<button>${messages.open}</button>
</form>`;
}

/**
 * Renders the page of a refusal at a site with rules, in the site's branding.
 * @param text the maintenance message of the site, or undefined for the default text of the status
 * @param formTarget path and query to which the password form leads back, or undefined for a page without the form
 */
export function renderSitePage(
  status: number,
  { branding }: HostPolicy,
  text: string | undefined,
  formTarget: string | undefined,
): string {
  const plain = errorPages[status] ?? { title: String(status), text: '' };
  const page =
    text === undefined ? plain : { title: messages.maintenance, text: escapeHtml(text).replaceAll('\n', '<br>') };
  const html = formTarget === undefined ? '' : renderPasswordForm(formTarget);
  const brand = renderBranding(branding);
  return renderPage(status, { ...page, html }, { ...brand, style: STYLE + (brand?.style ?? '') });
}
