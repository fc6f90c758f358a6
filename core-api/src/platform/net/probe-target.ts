import { hash } from 'node:crypto';
import { isTlsPort } from './authority';
import type { TargetType } from './target';

/** The target of a health check. */
export type ProbeTarget =
  | { kind: 'http'; host: string; port: number; tls: boolean }
  | { kind: 'folder'; folder: string }
  /** The version of a site whose content lies on this machine. */
  | { kind: 'version'; id: string };

interface TargetColumns {
  type: TargetType;
  port?: number | null;
  apiPort: number | null;
  staticPath: string | null;
  targetHost?: string | null;
  targetPort?: number | null;
  /** Static: `versions` if the version `versionId` is served in place of the folder. */
  source?: string;
  versionId?: string | null;
}

const toLoopbackTarget = (port: number): ProbeTarget => ({ kind: 'http', host: '127.0.0.1', port, tls: false });

/** The probe target of a subdomain; undefined if its columns name none. */
export function toProbeTarget(row: TargetColumns): ProbeTarget | undefined {
  const { type, port, staticPath, targetHost, targetPort } = row;
  if (type === 'proxy') return port ? toLoopbackTarget(port) : undefined;
  if (type === 'static' && row.source === 'versions')
    return row.versionId ? { kind: 'version', id: row.versionId } : undefined;
  if (type === 'static') return staticPath ? { kind: 'folder', folder: staticPath } : undefined;
  return targetHost && targetPort
    ? { kind: 'http', host: targetHost, port: targetPort, tls: isTlsPort(targetPort) }
    : undefined;
}

/**
 * The probe target of a tenant: a version of its own, else the target of its project, whose port is always `apiPort`.
 */
export function toTenantProbeTarget(
  { source, versionId }: Pick<TargetColumns, 'source' | 'versionId'>,
  project: TargetColumns,
): ProbeTarget | undefined {
  const hasOwnVersion = project.type === 'static' && source === 'versions';
  return toProbeTarget({ ...project, port: project.apiPort, ...(hasOwnVersion && { source, versionId }) });
}

/** Key of a target's health row. SHA-256 in hexadecimal, because a path may be longer than an indexed column. */
export const hashProbeTarget = (target: ProbeTarget): string => hash('sha256', formatProbeTarget(target));

/** The key of a row's target; null if its columns name none. */
export function toTargetKey(row: TargetColumns): string | null {
  const target = toProbeTarget(row);
  return target ? hashProbeTarget(target) : null;
}

function formatProbeTarget(target: ProbeTarget): string {
  if (target.kind === 'folder') return `folder ${target.folder}`;
  if (target.kind === 'version') return `version ${target.id}`;
  return `${target.tls ? 'https' : 'http'} ${target.host} ${target.port}`;
}

/** Whether each machine has a target of its own behind this name: a port of its loopback, a folder, or content. */
export const isMachineLocal = (target: ProbeTarget): boolean =>
  target.kind !== 'http' || /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(target.host);
