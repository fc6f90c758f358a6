import { z } from 'zod';
import { usageMessages as messages } from './usage.messages';

const usageRanges = ['day', 'week', 'month', 'year'] as const;
export type UsageRange = (typeof usageRanges)[number];

export const usageQuery = z.object({ range: z.enum(usageRanges, messages.range).default('day') });

export const usageResponse = z
  .object({
    range: z.enum(usageRanges),
    bucketSeconds: z.int(),
    from: z.iso.datetime(),
    series: z.array(
      z.object({
        keyId: z.uuid(),
        keyName: z.string(),
        points: z.array(
          z.object({ at: z.iso.datetime(), requests: z.int(), errors: z.int(), averageMs: z.number().nullable() }),
        ),
      }),
    ),
  })
  .meta({ id: 'UsageHistory' });
