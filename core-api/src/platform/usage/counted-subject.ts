import { z } from 'zod';

const count = z.int().min(0);

/** Counts of one key, route or service, or of the whole gateway, since the last report of an edge. */
export const countedSubject = z.object({
  dimension: z.enum(['gateway', 'key', 'route', 'service']),
  entityId: z.string().min(1).max(36),
  /** The reason of the refusals, if the counts are of refused requests. */
  reason: z.string().max(32).optional(),
  /** Time of a key's last allowed request, ISO 8601 UTC. */
  lastUsedAt: z.iso.datetime().optional(),
  minutes: z.array(
    z.object({
      minute: z.iso.datetime(),
      requests: count,
      errors4xx: count,
      errors5xx: count,
      refused: count,
      durationMs: z.number().min(0),
      latency: z.array(count).max(100),
    }),
  ),
});
export type CountedSubject = z.output<typeof countedSubject>;
export type MinuteCounts = CountedSubject['minutes'][number];

/** Returns a key that is equal for counts of the same dimension, entity and reason of refusal. */
export const toSubjectKey = (subject: { dimension: string; entityId: string; reason?: string }): string =>
  `${subject.dimension} ${subject.entityId} ${subject.reason ?? ''}`;
