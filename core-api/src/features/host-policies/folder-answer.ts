import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePath, type SitePath } from '../../routing/sites/site-path';
import { isNavigation } from '../../routing/sites/version-reply';

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return 'folder';
  return found?.isFile() ? 'file' : undefined;
}

/** The answer of the edge from a folder (contract §4): status, and target of a redirect. */
export async function answerOfFolder(
  folder: string,
  path: SitePath | undefined,
  accept: string,
  spaFallback: boolean,
): Promise<{ status: number; location: string | null; file: string | null }> {
  const answer = (status: number, file: string | null, location: string | null = null) => ({ status, location, file });
  if ((await kindOf(folder)) !== 'folder') return answer(503, null);
  if (path) {
    const { segments, endsWithSlash, query } = path;
    const name = segments.join('/');
    const found = await kindOf(join(folder, name));
    if (found === 'file' && !endsWithSlash) return answer(200, name);
    if (found === 'folder' && (await kindOf(join(folder, name, 'index.html'))) === 'file') {
      if (endsWithSlash || name === '') return answer(200, `${name === '' ? '' : `${name}/`}index.html`);
      return answer(301, null, `${encodePath(segments)}/${query}`);
    }
    if (!endsWithSlash && name !== '' && (await kindOf(join(folder, `${name}.html`))) === 'file')
      return answer(200, `${name}.html`);
  }
  if ((await kindOf(join(folder, '404.html'))) === 'file') return answer(404, '404.html');
  const isPage = path && spaFallback && isNavigation(accept, path.segments);
  return isPage && (await kindOf(join(folder, 'index.html'))) === 'file'
    ? answer(200, 'index.html')
    : answer(404, null);
}
