import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside `src` and `dist` alike. */
const SCRIPT = join(__dirname, '../../../deploy.mjs');

/** The program that publishes a folder, with the address of this installation. @param publicUrl `PUBLIC_URL` */
export function readDeployScript(publicUrl: string | undefined): string {
  const script = readFileSync(SCRIPT, 'utf8');
  return publicUrl ? script.replace("const DEFAULT_URL = '';", `const DEFAULT_URL = '${publicUrl}/api';`) : script;
}
