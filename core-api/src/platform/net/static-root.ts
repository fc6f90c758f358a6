import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { getErrorCode } from '../errors/error-details';

/**
 * Resolves the links of the part of `path` that exists, and appends the rest. Returns undefined for a loop of links, or
 * if access is denied.
 */
function resolveExistingPart(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = getErrorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
    const parent = resolveExistingPart(dirname(path));
    return parent && join(parent, basename(path));
  }
}

/** Rules for the folders that an edge may serve (contract §4). */
export interface StaticRules {
  staticRoots: readonly string[];
  /** `DATA_DIR`, whose folder `sites` may always be served. */
  dataDir: string;
  /** The folder of the program. */
  installation: string;
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Compiles the rules to a predicate on real paths. A path inside a root is accepted, unless the path is inside the data
 * folder or the installation, or contains one of these two. A path inside `sites` of the data folder is always
 * accepted. Links are resolved once, in this call. If one of the two cannot be resolved, no root is served.
 */
export function compileStaticRules({ staticRoots, dataDir, installation }: StaticRules): (realPath: string) => boolean {
  const resolveReal = (path: string) => resolveExistingPart(resolve(path));
  const isDefined = (path: string | undefined) => path !== undefined;
  const sites = resolveReal(join(dataDir, 'sites'));
  const roots = staticRoots.map(resolveReal).filter(isDefined);
  const unservableFolders = [resolveReal(dataDir), resolveReal(installation)];
  return (path) => {
    if (sites !== undefined && isInside(path, sites)) return true;
    const isUnservable = unservableFolders.some(
      (folder) => folder === undefined || isInside(path, folder) || isInside(folder, path),
    );
    return !isUnservable && roots.some((root) => isInside(path, root));
  };
}

/**
 * Parses the absolute path of a folder. Returns undefined for a path with `..`, NUL, backslash or percent sign, and if
 * the rules refuse the real path (contract §3, §7). The folder need not exist yet.
 */
export function parseStaticPath(text: string, rules: StaticRules): string | undefined {
  const path = text.trim();
  const isPlain = isAbsolute(path) && !/[\0\\%]/.test(path) && !path.split('/').includes('..');
  if (!isPlain) return undefined;
  const folder = normalize(path).replace(/(.)\/+$/, '$1');
  const realPath = resolveExistingPart(folder);
  return realPath !== undefined && compileStaticRules(rules)(realPath) ? folder : undefined;
}
