import { realpathSync } from 'node:fs';
import { isAbsolute, normalize, resolve, sep } from 'node:path';

/** `path` with links resolved as far as it exists. */
function realpathOfExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')))
      throw error;
    const parent = resolve(path, '..');
    return parent === path ? path : resolve(realpathOfExisting(parent), path.slice(parent.length).replace(/^\/+/, ''));
  }
}

/**
 * A folder that may be served: absolute, without `..`, NUL, backslash or percent signs, and inside one of `roots` once
 * links are resolved (contract §3). Nothing for anything else.
 */
export function parseStaticPath(text: string, roots: readonly string[]): string | undefined {
  const path = text.trim();
  const plain = isAbsolute(path) && !/[\0\\%]/.test(path) && !path.split('/').includes('..');
  if (!plain) return undefined;
  const folder = normalize(path).replace(/(.)\/+$/, '$1');
  const real = realpathOfExisting(folder);
  const inside = roots.some((root) => real.startsWith(realpathOfExisting(resolve(root)) + sep));
  return inside ? folder : undefined;
}
