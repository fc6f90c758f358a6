import type { HttpMethod } from '../../generated/graph';

/** What an administrator decided about a route of the manifest. */
interface Choice {
  selected: boolean;
  permission: string;
}

/** By `key` of the row. */
export type Choices = Record<string, Choice>;

/** One row of the import dialog: a manifest route, whether it is chosen and the permission it will ask for. */
export interface ImportRow extends Choice {
  /** Method and path. */
  key: string;
  method: HttpMethod;
  path: string;
  summary?: string | null;
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

/** Rows of a manifest with what was chosen; those whose origin `/{service}{path}` is routed already are marked, and never selected. */
export function importRows(
  service: string,
  manifest: readonly ManifestRoute[],
  existing: readonly ExistingRoute[],
  choices: Choices,
): ImportRow[] {
  const taken = new Set(existing.flatMap(({ origin, methods }) => methods.map((method) => `${method} ${origin}`)));
  return manifest.map(({ method, path, permission, summary }) => {
    const key = `${method} ${path}`;
    const exists = taken.has(`${method} /${service}${path}`);
    const choice = choices[key] ?? { selected: false, permission };
    return { key, method, path, summary, ...choice, exists, selected: choice.selected && !exists };
  });
}

/** What the import sends, or nothing when no row is selected or a selected one lacks its permission (product-spec §5). */
export function selectedRoutes(rows: readonly ImportRow[]) {
  const selected = rows.filter((row) => row.selected);
  const complete = selected.length > 0 && selected.every(({ permission }) => permission.trim() !== '');
  if (!complete) return undefined;
  return selected.map(({ method, path, permission }) => ({ method, path, permission: permission.trim() }));
}
