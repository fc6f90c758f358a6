import { z } from 'zod';

/** Rollout status of a saved entity: whether the edges serve it. */
export const rolloutStatusResponse = z
  .object({ state: z.enum(['active', 'refused', 'pending']), reason: z.string().optional() })
  .meta({ id: 'Live' });
export type RolloutStatus = z.output<typeof rolloutStatusResponse>;
