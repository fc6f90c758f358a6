const UPLOADS = '/api/uploads/';

/** Returns the path of a request for logs and traces, without an upload URL's secret (docs/contract-operators.md). */
export function redactPath(path: string): string {
  if (!path.startsWith(UPLOADS)) return path;
  const end = path.indexOf('/', UPLOADS.length);
  return `${UPLOADS}[secret]${end < 0 ? '' : path.slice(end)}`;
}
