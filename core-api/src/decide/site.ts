import type { ProjectRow, SubdomainRow, TenantRow } from './rows';
import { createUpstream, type Upstream } from './upstream';

/** What a host serves. */
export type Site = { id: string; tenant: TenantHeaders | undefined } & (
  | { kind: 'proxy'; upstream: Upstream }
  | { kind: 'static'; folder: string; api: Upstream | undefined }
  /** Its administrator has paused it. @property name shown to visitors */
  | { kind: 'paused'; name: string }
  /** Another name of a site: everything leads to `host`. */
  | { kind: 'redirect'; host: string }
  /** Its target is this installation itself. */
  | { kind: 'own' }
  | { kind: 'broken' }
);

interface TenantHeaders {
  id: string;
  subdomain: string;
  /** Percent-encoded UTF-8. */
  database: string;
}

/** Whether a target is this installation itself. */
export type IsOwn = (upstream: Upstream) => boolean;

type Target = { kind: 'proxy'; upstream: Upstream } | { kind: 'static'; folder: string; api: Upstream | undefined };

function onLoopback(port: number | null): Upstream {
  if (port === null) throw new Error('no port');
  return createUpstream('127.0.0.1', port, false);
}

function staticTarget(folder: string | null, apiPort: number | null): Target {
  if (folder === null) throw new Error('no folder');
  return { kind: 'static', folder, api: apiPort === null ? undefined : onLoopback(apiPort) };
}

const subdomainTarget: Record<SubdomainRow['type'], (row: SubdomainRow) => Target> = {
  proxy: ({ port }) => ({ kind: 'proxy', upstream: onLoopback(port) }),
  static: ({ staticPath, apiPort }) => staticTarget(staticPath, apiPort),
  tunnel({ targetHost, targetPort }) {
    if (targetHost === null || targetPort === null) throw new Error('no target');
    return { kind: 'proxy', upstream: createUpstream(targetHost, targetPort, targetPort === 443) };
  },
};

function siteOf(id: string, target: Target, tenant: TenantHeaders | undefined, isOwn: IsOwn): Site {
  const upstream = target.kind === 'proxy' ? target.upstream : target.api;
  return upstream && isOwn(upstream) ? { id, tenant, kind: 'own' } : { id, tenant, ...target };
}

/** @throws Error for a row that cannot be used */
export const compileSubdomain = (row: SubdomainRow, isOwn: IsOwn): Site =>
  row.paused
    ? { id: row.id, tenant: undefined, kind: 'paused', name: row.subdomain }
    : siteOf(row.id, subdomainTarget[row.type](row), undefined, isOwn);

/** @throws Error for a row that cannot be used */
export function compileTenant(
  { id, subdomain, dbName, name, paused }: TenantRow,
  project: ProjectRow | undefined,
  isOwn: IsOwn,
): Site {
  if (paused) return { id, tenant: undefined, kind: 'paused', name };
  if (!project) throw new Error('no project');
  const target: Target =
    project.type === 'proxy'
      ? { kind: 'proxy', upstream: onLoopback(project.apiPort) }
      : staticTarget(project.staticPath, project.apiPort);
  return siteOf(id, target, { id, subdomain, database: encodeURIComponent(dbName) }, isOwn);
}
