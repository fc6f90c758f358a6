import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** `path` with links resolved as far as it exists; nothing when that cannot be known (a loop of links, no permission). */
function realpathOfExisting(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
    const parent = realpathOfExisting(dirname(path));
    return parent && join(parent, basename(path));
  }
}

/**
 * A folder that may be served: absolute, without `..`, NUL, backslash or percent signs, and one of `roots` or inside it
 * once links are resolved (contract §3). It need not exist yet. Nothing for anything else.
 */
export function parseStaticPath(text: string, roots: readonly string[]): string | undefined {
  const path = text.trim();
  const plain = isAbsolute(path) && !/[\0\\%]/.test(path) && !path.split('/').includes('..');
  if (!plain) return undefined;
  const folder = normalize(path).replace(/(.)\/+$/, '$1');
  const real = realpathOfExisting(folder);
  const lies = (root: string | undefined) => root && real && (real === root || real.startsWith(root + sep));
  return roots.some((root) => lies(realpathOfExisting(resolve(root)))) ? folder : undefined;
}
