import { z } from 'zod';
import { configuredEntities } from '../../platform/config-revisions/configured-entities';
import { countedSubject } from '../../platform/usage/counted-subject';
import type { RowChange } from '../../routing/config-snapshot';

// Formats of the files in `DATA_DIR/edge`. A changed format needs a new version number.

const entities = new Set<unknown>(configuredEntities);

/**
 * Checks only the entity and the ids. `RoutingTable` checks the other columns when it compiles a row, and an unusable
 * row disables only its own host. A schema for rows would take a tenth of the start time of an edge with many rows.
 */
export function isSnapshotRow(value: unknown): value is RowChange {
  const { entity, id, row } = (value ?? {}) as { entity?: unknown; id?: unknown; row?: { id?: unknown } | null };
  const hasKnownEntity = entities.has(entity) && typeof id === 'string';
  return hasKnownEntity && (row === null || (typeof row === 'object' && typeof row.id === 'string'));
}

/** First line of `snapshot.json`. The rows follow, one per line. A commit line ends the base and each update. */
export const snapshotHeader = z.object({ version: z.literal(2), installationId: z.string().optional() });

/** A line of `snapshot.json` that ends the base or an update. */
export const snapshotCommit = z.object({ revision: z.int(), lastChange: z.string().nullable() });

/** `snapshot.json` of earlier builds, which is one JSON text with the configuration of one revision. */
export const earlierSnapshot = z.object({
  version: z.literal(1),
  installationId: z.string().optional(),
  revision: z.int(),
  isComplete: z.literal(true),
  changes: z.array(z.custom<RowChange>(isSnapshotRow)),
});

/** `usage.json`, which has counts that are not in the database yet, in numbered batches. */
export const usageFile = z.object({
  version: z.literal(1),
  batches: z.array(z.object({ edgeId: z.string(), sequence: z.int(), usage: z.array(countedSubject) })),
});

/** `rates.json`, which has the rate windows of a machine that does not share its database. */
export const ratesFile = z.object({
  version: z.literal(1),
  windows: z.array(
    z.object({
      keyId: z.string(),
      seconds: z.number().positive(),
      state: z.object({ slice: z.int(), counts: z.array(z.number().nonnegative()) }),
    }),
  ),
});
