import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePath, type SitePath } from '../../routing/sites/site-path';
import { isNavigation } from '../../routing/sites/version-reply';

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return 'folder';
  return stats?.isFile() ? 'file' : undefined;
}

/** The response of the edge from a folder (contract §4): status, and target of a redirect. */
export async function responseOfFolder(
  folder: string,
  path: SitePath | undefined,
  accept: string,
  spaFallback: boolean,
): Promise<{ status: number; location: string | null; file: string | null }> {
  const respond = (status: number, file: string | null, location: string | null = null) => ({ status, location, file });
  if ((await kindOf(folder)) !== 'folder') return respond(503, null);
  if (path) {
    const { segments, endsWithSlash, query } = path;
    const name = segments.join('/');
    const kind = await kindOf(join(folder, name));
    if (kind === 'file' && !endsWithSlash) return respond(200, name);
    if (kind === 'folder' && (await kindOf(join(folder, name, 'index.html'))) === 'file') {
      if (endsWithSlash || name === '') return respond(200, `${name === '' ? '' : `${name}/`}index.html`);
      return respond(301, null, `${encodePath(segments)}/${query}`);
    }
    if (!endsWithSlash && name !== '' && (await kindOf(join(folder, `${name}.html`))) === 'file')
      return respond(200, `${name}.html`);
  }
  if ((await kindOf(join(folder, '404.html'))) === 'file') return respond(404, '404.html');
  const isPage = path && spaFallback && isNavigation(accept, path.segments);
  return isPage && (await kindOf(join(folder, 'index.html'))) === 'file'
    ? respond(200, 'index.html')
    : respond(404, null);
}
