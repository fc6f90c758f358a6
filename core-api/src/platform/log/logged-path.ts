const UPLOADS = '/api/uploads/';

/**
 * The path of a request to the studio as logs and traces contain it: without the secret of an upload address (contract
 * §8).
 */
export function loggedPath(path: string): string {
  if (!path.startsWith(UPLOADS)) return path;
  const end = path.indexOf('/', UPLOADS.length);
  return `${UPLOADS}[secret]${end < 0 ? '' : path.slice(end)}`;
}
