import { z } from 'zod';

/** Query parameter with a whole number from 1 to `max`. */
export const integerParameter = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Informe um número inteiro.')
    .transform(Number)
    .pipe(z.int().min(1).max(max))
    .meta({ override: { type: 'integer', pattern: undefined, minimum: 1, maximum: max } });

/** As `integerParameter`, with a default. zod-openapi omits the default of a schema with an override. */
export const integerParameterOr = (fallback: number, max: number) =>
  integerParameter(max)
    .default(fallback)
    .meta({ override: { default: fallback } });

/** `page` from 1 and `limit` 1–100, default 15 (contract §3). */
export const paging = z.object({ page: integerParameterOr(1, 1_000_000), limit: integerParameterOr(15, 100) });
export type Paging = z.output<typeof paging>;

export const toSkipAndTake = ({ page, limit }: Paging) => ({ skip: (page - 1) * limit, take: limit });
