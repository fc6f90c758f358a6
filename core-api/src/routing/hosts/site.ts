import { isTlsPort } from '../../platform/net/authority';
import type { ProjectRow, PublishedRow, SubdomainRow, TenantRow, VersionRef, VersionRow } from '../config-snapshot';
import { createUpstream, type Upstream } from '../upstream';
import { compilePolicy, createPreviewPolicy, type HostPolicy } from './host-policy';

/** A compiled site, which answers at the hosts of a subdomain, a tenant or a preview. */
export type Site = {
  id: string;
  tenant: TenantIdentity | undefined;
  /** Undefined for a host without rules. */
  policy?: HostPolicy | undefined;
} & (
  | SiteTarget
  /** A version with a preview host until `expiresAt` (ms since the epoch). */
  | { kind: 'preview'; versions: PublishedVersions; ownerId: string; expiresAt: number }
  /** An administrator has paused the site. `name` is shown to visitors. */
  | { kind: 'paused'; name: string }
  /** A permanent redirect to another host. */
  | { kind: 'redirect'; host: string }
  /** The target is this installation itself, so requests would loop. */
  | { kind: 'own' }
  /** The row of the site cannot be used. */
  | { kind: 'broken' }
);

interface TenantIdentity {
  id: string;
  subdomain: string;
  /** Name of the tenant's database, as percent-encoded UTF-8. */
  database: string;
}

/** The versions that a site serves. */
interface PublishedVersions {
  /** Undefined before the first activation. */
  readonly current: VersionRef | undefined;
  /** Earlier versions, the newest first. `until` is in ms since the epoch. */
  readonly earlier: readonly (VersionRef & { readonly until: number })[];
}

/** Returns whether a target is this installation itself. */
export type IsOwnTarget = (upstream: Upstream) => boolean;

type SiteTarget =
  | { kind: 'proxy'; upstream: Upstream }
  | { kind: 'static'; folder: string; spaFallback: boolean; api: Upstream | undefined }
  | { kind: 'published'; versions: PublishedVersions; spaFallback: boolean; api: Upstream | undefined };

type StaticRow = Pick<ProjectRow, 'staticPath' | 'apiPort' | 'spaFallback' | 'published'>;

function createLoopbackUpstream(port: number | null): Upstream {
  if (port === null) throw new Error('no port');
  return createUpstream({ host: '127.0.0.1', port, tls: false });
}

const compilePublished = ({ current, earlier }: PublishedRow): PublishedVersions => ({
  current: current ?? undefined,
  earlier: earlier.map((version) => ({ ...version, until: Date.parse(version.until) })),
});

function compileStaticTarget({ staticPath: folder, apiPort, spaFallback = true, published }: StaticRow): SiteTarget {
  const api = apiPort === null ? undefined : createLoopbackUpstream(apiPort);
  if (published) return { kind: 'published', versions: compilePublished(published), spaFallback, api };
  if (folder === null) throw new Error('no folder');
  return { kind: 'static', folder, spaFallback, api };
}

export const compilePreview = ({ id, manifest, ownerId, previewExpiresAt, passwordKey }: VersionRow): Site => ({
  id,
  tenant: undefined,
  policy: passwordKey ? createPreviewPolicy(id, passwordKey) : undefined,
  kind: 'preview',
  versions: { current: { id, manifest }, earlier: [] },
  ownerId,
  expiresAt: Date.parse(previewExpiresAt),
});

const compileTargetByType: Record<SubdomainRow['type'], (row: SubdomainRow) => SiteTarget> = {
  proxy: ({ port }) => ({ kind: 'proxy', upstream: createLoopbackUpstream(port) }),
  static: compileStaticTarget,
  tunnel({ targetHost, targetPort }) {
    if (targetHost === null || targetPort === null) throw new Error('no target');
    const authority = { host: targetHost, port: targetPort, tls: isTlsPort(targetPort) };
    return { kind: 'proxy', upstream: createUpstream(authority) };
  },
};

function createSite(id: string, target: SiteTarget, tenant: TenantIdentity | undefined, isOwn: IsOwnTarget): Site {
  const upstream = target.kind === 'proxy' ? target.upstream : target.api;
  return upstream && isOwn(upstream) ? { id, tenant, kind: 'own' } : { id, tenant, ...target };
}

/** Compiles a subdomain. The target of a paused subdomain is not used. @throws Error for a row that cannot be used */
export const compileSubdomain = (row: SubdomainRow, isOwn: IsOwnTarget): Site =>
  row.paused
    ? { id: row.id, tenant: undefined, kind: 'paused', name: row.subdomain }
    : {
        ...createSite(row.id, compileTargetByType[row.type](row), undefined, isOwn),
        policy: compilePolicy(row.id, row.policy),
      };

/** Compiles a tenant. The target of a paused tenant is not used. @throws Error for a row that cannot be used */
export function compileTenant(
  { id, subdomain, dbName, name, paused, published, policy }: TenantRow,
  project: ProjectRow | undefined,
  isOwn: IsOwnTarget,
): Site {
  if (paused) return { id, tenant: undefined, kind: 'paused', name };
  if (!project) throw new Error('no project');
  const target: SiteTarget =
    project.type === 'proxy'
      ? { kind: 'proxy', upstream: createLoopbackUpstream(project.apiPort) }
      : compileStaticTarget(published ? { ...project, published } : project);
  const site = createSite(id, target, { id, subdomain, database: encodeURIComponent(dbName) }, isOwn);
  return { ...site, policy: compilePolicy(id, policy, project.policy) };
}
