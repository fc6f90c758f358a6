import { hash } from 'node:crypto';
import { isTlsPort } from './authority';
import type { TargetType } from './target';

/** The target of a health check. */
export type ProbeTarget =
  | { kind: 'http'; host: string; port: number; tls: boolean }
  | { kind: 'folder'; folder: string }
  /** A version of a site. The check looks for its files on this machine. */
  | { kind: 'version'; id: string };

interface TargetColumns {
  type: TargetType;
  port?: number | null;
  apiPort: number | null;
  staticPath: string | null;
  targetHost?: string | null;
  targetPort?: number | null;
  /** `versions` if a static site serves the version `versionId` instead of the folder. */
  source?: string;
  versionId?: string | null;
}

const toLoopbackTarget = (port: number): ProbeTarget => ({ kind: 'http', host: '127.0.0.1', port, tls: false });

/** Returns the probe target of a subdomain, or undefined if the columns define no target. */
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
 * Returns the probe target of a tenant: the tenant's own version, or else the target of the project. The port of a
 * project is always `apiPort`.
 */
export function toTenantProbeTarget(
  { source, versionId }: Pick<TargetColumns, 'source' | 'versionId'>,
  project: TargetColumns,
): ProbeTarget | undefined {
  const hasOwnVersion = project.type === 'static' && source === 'versions';
  return toProbeTarget({ ...project, port: project.apiPort, ...(hasOwnVersion && { source, versionId }) });
}

/** Returns the key of a target's health row. The key is a hash, because a path may be too long for an indexed column. */
export const hashProbeTarget = (target: ProbeTarget): string => hash('sha256', formatProbeTarget(target));

/** Returns the key of a row's target, or null if the columns define no target. */
export function toTargetKey(row: TargetColumns): string | null {
  const target = toProbeTarget(row);
  return target ? hashProbeTarget(target) : null;
}

function formatProbeTarget(target: ProbeTarget): string {
  if (target.kind === 'folder') return `folder ${target.folder}`;
  if (target.kind === 'version') return `version ${target.id}`;
  return `${target.tls ? 'https' : 'http'} ${target.host} ${target.port}`;
}

/** Returns whether a target exists on each machine separately, such as a loopback port, a folder or a version. */
export const isMachineLocal = (target: ProbeTarget): boolean =>
  target.kind !== 'http' || /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(target.host);
