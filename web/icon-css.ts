import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { rowIcons } from './src/ui/theme/rowIcons.ts';

/** An icon has the colour of the text, also in forced-colors mode, and 16 px unless `--icon` sets another size. */
const COMMON = `[data-icon]::before {
  content: "";
  display: block;
  flex: none;
  width: var(--icon, 16px);
  height: var(--icon, 16px);
  background: currentColor;
  mask: center / contain no-repeat;
  forced-color-adjust: preserve-parent-color;
}`;

function createStylesheet(): string {
  const rules = Object.entries(rowIcons).map(([name, Icon]) => {
    const image = renderToStaticMarkup(createElement(Icon, { color: '#000' }));
    return `[data-icon="${name}"]::before { mask-image: url("data:image/svg+xml,${encodeURIComponent(image)}") }`;
  });
  return [COMMON, ...rules].join('\n');
}

const NAME = 'virtual:icons.css';
const ID = '/__icons.css';

/** `virtual:icons.css`: the icons of lists as masks, drawn by Lucide when the app is built. */
export const iconCss = (): Plugin => ({
  name: 'icon-css',
  resolveId: (id) => (id === NAME ? ID : undefined),
  load: (id) => (id === ID ? createStylesheet() : undefined),
});
