import { showTheme } from './theme';

/**
 * Runs in the head of every page, before the first paint. The script creates the meta element, because React would not
 * recognise a prerendered element with a dark colour and would add a second element.
 */
const themeColor = document.createElement('meta');
themeColor.name = 'theme-color';
document.head.append(themeColor);
showTheme();
