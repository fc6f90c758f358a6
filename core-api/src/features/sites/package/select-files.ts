import { siteMessages as messages } from '../sites.messages';
import type { PackageEntry } from './package-entry';
import { PackageError } from './package-error';

const INDEX = 'index.html';
const MAX_WARNINGS = 20;

const isHidden = (path: string): boolean =>
  path.split('/').some((segment, index) => segment.startsWith('.') && !(index === 0 && segment === '.well-known'));
/** Resource forks that macOS adds to archives. */
const isResourceFork = (path: string): boolean => path.startsWith('__MACOSX/');

/** The top folder that contains all visible files, with its slash; undefined if they have no common folder. */
function findTopFolder(paths: readonly string[]): string | undefined {
  if (paths.includes(INDEX)) return undefined;
  const visiblePaths = paths.filter((path) => !isHidden(path));
  const [first = ''] = visiblePaths;
  const folder = first.slice(0, first.indexOf('/') + 1);
  return folder !== '' && visiblePaths.every((path) => path.startsWith(folder)) ? folder : undefined;
}

/** Returns the first `MAX_WARNINGS` warnings, and the number of further warnings. */
export const limitWarnings = (warnings: readonly string[]): string[] =>
  warnings.length <= MAX_WARNINGS
    ? [...warnings]
    : [...warnings.slice(0, MAX_WARNINGS), messages.moreWarnings(warnings.length - MAX_WARNINGS)];

/** The files of a version, and warnings about the package, for example about hidden files that are left out. */
export interface SelectedFiles {
  readonly files: readonly PackageEntry[];
  readonly warnings: readonly string[];
}

/**
 * Selects the files of a version. A common top folder is removed from the paths, and hidden files are left out.
 * @throws PackageError if two entries have the same path, or `index.html` is missing at the root
 */
export function selectFiles(entries: readonly PackageEntry[]): SelectedFiles {
  const siteEntries = entries.filter(({ path }) => !isResourceFork(path));
  const folder = findTopFolder(siteEntries.map(({ path }) => path)) ?? '';
  const files = new Map<string, PackageEntry>();
  const pathByLowerCase = new Map<string, string>();
  const hiddenPaths: string[] = [];
  const warnings: string[] = [];
  for (const entry of siteEntries) {
    const path = entry.path.startsWith(folder) ? entry.path.slice(folder.length) : entry.path;
    if (isHidden(path)) {
      hiddenPaths.push(path);
      continue;
    }
    if (files.has(path)) throw new PackageError(400, messages.duplicatePath(entry.path));
    files.set(path, { ...entry, path });
    const lowerCasePath = path.toLowerCase();
    const earlierPath = pathByLowerCase.get(lowerCasePath);
    if (earlierPath === undefined) pathByLowerCase.set(lowerCasePath, path);
    else warnings.push(messages.differInCase(earlierPath, path));
  }
  if (!files.has(INDEX)) throw new PackageError(400, messages.noIndex);
  if (hiddenPaths[0] !== undefined) warnings.unshift(messages.dotfiles(hiddenPaths.length, hiddenPaths[0]));
  return { files: [...files.values()], warnings };
}
