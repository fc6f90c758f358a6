import { z } from 'zod';

/** Query parameter with a whole number from 1 to `max`. */
export const integerParameter = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Informe um número inteiro.')
    .transform(Number)
    .pipe(z.int().min(1).max(max))
    .default(fallback)
    .meta({ override: { type: 'integer', pattern: undefined, minimum: 1, maximum: max, default: fallback } });

/** `page` from 1 and `limit` 1–100, default 15 (contract §3). */
export const paging = z.object({ page: integerParameter(1, 1_000_000), limit: integerParameter(15, 100) });
export type Paging = z.output<typeof paging>;

export const toSkipAndTake = ({ page, limit }: Paging) => ({ skip: (page - 1) * limit, take: limit });
