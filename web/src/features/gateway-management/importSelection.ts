import type { HttpMethod } from '../../generated/graph';

/** One row of the import dialog: a manifest route, whether it is chosen and the permission it will ask for. */
export interface ImportRow {
  method: HttpMethod;
  path: string;
  permission: string;
  summary?: string | null;
  selected: boolean;
  /** A route of this method and origin exists already. */
  exists: boolean;
}

interface ManifestRoute {
  method: HttpMethod;
  path: string;
  permission: string;
  summary?: string | null;
}

interface ExistingRoute {
  origin: string;
  methods: readonly HttpMethod[];
}

/** Rows of a manifest, none selected; those whose origin `/{service}{path}` is routed already are marked. */
export function importRows(
  service: string,
  manifest: readonly ManifestRoute[],
  existing: readonly ExistingRoute[],
): ImportRow[] {
  const taken = new Set(existing.flatMap(({ origin, methods }) => methods.map((method) => `${method} ${origin}`)));
  return manifest.map(({ method, path, permission, summary }) => ({
    method,
    path,
    permission,
    summary,
    selected: false,
    exists: taken.has(`${method} /${service}${path}`),
  }));
}

/** What the import sends, or nothing when no row is selected or a selected one lacks its permission (product-spec §5). */
export function selectedRoutes(rows: readonly ImportRow[]) {
  const selected = rows.filter((row) => row.selected);
  const complete = selected.length > 0 && selected.every(({ permission }) => permission.trim() !== '');
  if (!complete) return undefined;
  return selected.map(({ method, path, permission }) => ({ method, path, permission: permission.trim() }));
}
