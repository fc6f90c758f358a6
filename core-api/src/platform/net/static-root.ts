import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { errorCode } from './error-code';

/**
 * The real path of the existing part of `path`, with the rest appended; undefined if it cannot be resolved (a loop of
 * links, no permission).
 */
function realpathOfExisting(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
    const parent = realpathOfExisting(dirname(path));
    return parent && join(parent, basename(path));
  }
}

/** The folders that may be served, and those that never are (contract §4). */
export interface StaticRules {
  /** `STATIC_ROOTS`. */
  staticRoots: readonly string[];
  /** `DATA_DIR`; its folder `sites` may always be served. */
  dataDir: string;
  /** The folder of the program itself. */
  installation: string;
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Compiles the rules to a predicate on real paths. A path passes inside one of the roots, unless it lies in the data
 * folder or the installation or contains one of them. `sites` of the data folder always passes. The folders of the
 * rules are resolved when this function is called.
 */
export function compileStaticRules({ staticRoots, dataDir, installation }: StaticRules): (real: string) => boolean {
  const resolveReal = (path: string) => realpathOfExisting(resolve(path));
  const isDefined = (path: string | undefined) => path !== undefined;
  const sites = resolveReal(join(dataDir, 'sites'));
  const roots = staticRoots.map(resolveReal).filter(isDefined);
  const closedFolders = [resolveReal(dataDir), resolveReal(installation)];
  return (path) => {
    if (sites !== undefined && isInside(path, sites)) return true;
    const isClosed = closedFolders.some(
      (folder) => folder === undefined || isInside(path, folder) || isInside(folder, path),
    );
    return !isClosed && roots.some((root) => isInside(path, root));
  };
}

/**
 * Parses a folder that may be served: absolute, without `..`, NUL, backslash and percent signs, and allowed by the
 * rules once links are resolved (contract §3, §7). The folder need not exist yet. Undefined for any other text.
 */
export function parseStaticPath(text: string, rules: StaticRules): string | undefined {
  const path = text.trim();
  const isPlain = isAbsolute(path) && !/[\0\\%]/.test(path) && !path.split('/').includes('..');
  if (!isPlain) return undefined;
  const folder = normalize(path).replace(/(.)\/+$/, '$1');
  const real = realpathOfExisting(folder);
  return real !== undefined && compileStaticRules(rules)(real) ? folder : undefined;
}
