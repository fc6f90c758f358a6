import { z } from 'zod';

export const healthResponse = z
  .object({
    state: z.enum(['up', 'down', 'unknown']),
    status: z.int().nullable(),
    ms: z.int().nullable(),
    checkedAt: z.iso.datetime().nullable(),
    /** The reason why the target is not up. A target that is up may have a reason, too: a missing `index.html`. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'Health' });
export type Health = z.output<typeof healthResponse>;

/**
 * One step of a probe. The names are listed in the order in which the steps run. The first failure ends the probe, and
 * the target counts as down unless the failed step is `index`.
 */
export const probeStepResponse = z
  .object({
    step: z.enum(['dns', 'tcp', 'tls', 'http', 'folder', 'index']),
    ok: z.boolean(),
    ms: z.int(),
    /** Message for the user. */
    detail: z.string(),
  })
  .meta({ id: 'ProbeStep' });
export type ProbeStep = z.output<typeof probeStepResponse>;
