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

/** Where static files may lie, and what is never served (contract §7). */
export interface StaticRules {
  /** `STATIC_ROOTS`. */
  staticRoots: readonly string[];
  /** `DATA_DIR`; its `sites` may always be served. */
  dataDir: string;
  /** The folder of the program itself. */
  installation: string;
}

const lies = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Compiles the rules to a test of a real path (links resolved): in one of the roots, and not in, or a folder that
 * holds, the data folder or the installation; everything in `sites` of the data folder passes. The rules' own folders
 * are resolved at the call.
 */
export function compileStaticRules({ staticRoots, dataDir, installation }: StaticRules): (real: string) => boolean {
  const real = (path: string) => realpathOfExisting(resolve(path));
  const known = (path: string | undefined) => path !== undefined;
  const sites = real(join(dataDir, 'sites'));
  const roots = staticRoots.map(real).filter(known);
  const closed = [real(dataDir), real(installation)];
  return (path) => {
    if (sites !== undefined && lies(path, sites)) return true;
    const isClosed = closed.some((folder) => folder === undefined || lies(path, folder) || lies(folder, path));
    return !isClosed && roots.some((root) => lies(path, root));
  };
}

/**
 * A folder that may be served: absolute, without `..`, NUL, backslash or percent signs, and where the rules allow it
 * once links are resolved (contract §3, §7). It need not exist yet. Nothing for anything else.
 */
export function parseStaticPath(text: string, rules: StaticRules): string | undefined {
  const path = text.trim();
  const plain = isAbsolute(path) && !/[\0\\%]/.test(path) && !path.split('/').includes('..');
  if (!plain) return undefined;
  const folder = normalize(path).replace(/(.)\/+$/, '$1');
  const real = realpathOfExisting(folder);
  return real !== undefined && compileStaticRules(rules)(real) ? folder : undefined;
}
