import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePath, type SitePath } from '../../routing/sites/site-path';
import { isNavigation } from '../../routing/sites/version-reply';

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return 'folder';
  return stats?.isFile() ? 'file' : undefined;
}

const hasFile = async (folder: string, name: string): Promise<boolean> => (await kindOf(join(folder, name))) === 'file';

interface FolderResponse {
  status: number;
  location: string | null;
  file: string | null;
}

const respond = (status: number, file: string | null, location: string | null = null): FolderResponse => ({
  status,
  location,
  file,
});

/** The file of a path, or the redirect to a folder with its slash; undefined if the folder has neither. */
async function responseOfPath(
  folder: string,
  { segments, endsWithSlash, query }: SitePath,
): Promise<FolderResponse | undefined> {
  const name = segments.join('/');
  const kind = await kindOf(join(folder, name));
  if (kind === 'file' && !endsWithSlash) return respond(200, name);
  if (kind === 'folder' && (await hasFile(folder, join(name, 'index.html')))) {
    if (endsWithSlash || name === '') return respond(200, join(name, 'index.html'));
    return respond(301, null, `${encodePath(segments)}/${query}`);
  }
  const page = `${name}.html`;
  return !endsWithSlash && name !== '' && (await hasFile(folder, page)) ? respond(200, page) : undefined;
}

/** The response of the edge from a folder (contract §4): status, and target of a redirect. */
export async function responseOfFolder(
  folder: string,
  path: SitePath | undefined,
  accept: string,
  spaFallback: boolean,
): Promise<FolderResponse> {
  if ((await kindOf(folder)) !== 'folder') return respond(503, null);
  const found = path && (await responseOfPath(folder, path));
  if (found) return found;
  if (await hasFile(folder, '404.html')) return respond(404, '404.html');
  const isPage = path && spaFallback && isNavigation(accept, path.segments);
  return isPage && (await hasFile(folder, 'index.html')) ? respond(200, 'index.html') : respond(404, null);
}
