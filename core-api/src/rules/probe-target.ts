import { createHash } from 'node:crypto';
import type { TargetType } from './target';

/** What is asked to learn whether a host works. */
export type ProbeTarget =
  | { kind: 'http'; host: string; port: number; tls: boolean }
  | { kind: 'folder'; folder: string };

interface TargetColumns {
  type: TargetType;
  port?: number | null;
  apiPort: number | null;
  staticPath: string | null;
  targetHost?: string | null;
  targetPort?: number | null;
}

const onLoopback = (port: number): ProbeTarget => ({ kind: 'http', host: '127.0.0.1', port, tls: false });

/** Of a subdomain's columns; nothing for a row that names none. */
export function probeTargetOf(row: TargetColumns): ProbeTarget | undefined {
  const { type, port, staticPath, targetHost, targetPort } = row;
  if (type === 'proxy') return port ? onLoopback(port) : undefined;
  if (type === 'static') return staticPath ? { kind: 'folder', folder: staticPath } : undefined;
  return targetHost && targetPort
    ? { kind: 'http', host: targetHost, port: targetPort, tls: targetPort === 443 }
    : undefined;
}

/** Of a project's columns, whose proxies keep their port in `apiPort`. */
export const probeTargetOfProject = (row: {
  type: 'proxy' | 'static';
  apiPort: number | null;
  staticPath: string | null;
}) => probeTargetOf({ ...row, port: row.apiPort });

/** The same for the same target: SHA-256 in hexadecimal, since paths are longer than an index takes. */
export const keyOf = (target: ProbeTarget): string =>
  createHash('sha256')
    .update(
      target.kind === 'folder'
        ? `folder ${target.folder}`
        : `${target.tls ? 'https' : 'http'} ${target.host} ${target.port}`,
    )
    .digest('hex');
