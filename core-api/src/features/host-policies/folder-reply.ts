import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePath, type SitePath } from '../../routing/sites/site-path';
import { isNavigation, type VersionRequest } from '../../routing/sites/version-reply';

async function findKind(path: string): Promise<'file' | 'folder' | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return 'folder';
  return stats?.isFile() ? 'file' : undefined;
}

const hasFile = async (folder: string, name: string): Promise<boolean> =>
  (await findKind(join(folder, name))) === 'file';

const toReply = (status: number, file: string | null, location: string | null = null) => ({ status, location, file });
type FolderReply = ReturnType<typeof toReply>;

/** The file of a path, or the redirect that adds a slash to the path of a folder; undefined if there is neither. */
async function findPathReply(
  folder: string,
  { segments, endsWithSlash, query }: SitePath,
): Promise<FolderReply | undefined> {
  const name = segments.join('/');
  const kind = await findKind(join(folder, name));
  if (kind === 'file' && !endsWithSlash) return toReply(200, name);
  if (kind === 'folder' && (await hasFile(folder, join(name, 'index.html')))) {
    if (endsWithSlash || name === '') return toReply(200, join(name, 'index.html'));
    return toReply(301, null, `${encodePath(segments)}/${query}`);
  }
  const page = `${name}.html`;
  return !endsWithSlash && name !== '' && (await hasFile(folder, page)) ? toReply(200, page) : undefined;
}

/** Returns the response that the edge would give from a folder (contract §4). */
export async function chooseFolderReply(
  folder: string,
  { path, accept }: VersionRequest,
  spaFallback: boolean,
): Promise<FolderReply> {
  if ((await findKind(folder)) !== 'folder') return toReply(503, null);
  const pathReply = path && (await findPathReply(folder, path));
  if (pathReply) return pathReply;
  if (await hasFile(folder, '404.html')) return toReply(404, '404.html');
  const mayUseFallback = path && spaFallback && isNavigation(accept, path.segments);
  return mayUseFallback && (await hasFile(folder, 'index.html')) ? toReply(200, 'index.html') : toReply(404, null);
}
