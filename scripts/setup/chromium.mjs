/** Finds the browser for tests and screenshots. If it is missing and the user is root, installs its Debian package. */
import { existsSync } from 'node:fs';
import { installPackages } from './debian-packages.mjs';

/** Paths in order of preference: the headless shell draws no window, which halves the work of a test. */
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function findChromium() {
  return [process.env.CHROMIUM_PATH, ...usualPaths].find((path) => path && existsSync(path));
}

/** Returns the path of a Chromium. Ends the process with a hint if no Chromium exists and none can be installed. */
export function requireChromium() {
  const found = findChromium();
  if (found) return found;
  installPackages('o Chromium', ['chromium-headless-shell', 'fonts-liberation']);
  const installed = findChromium();
  if (installed) return installed;
  process.stderr.write(
    'Falta um Chromium: instale-o (por exemplo o pacote chromium) ou aponte CHROMIUM_PATH para ele.\n',
  );
  process.exit(1);
}
