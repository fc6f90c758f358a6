import { z } from 'zod';

const whole = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Informe um número inteiro.')
    .transform(Number)
    .pipe(z.int().min(1, 'O mínimo é 1.').max(max, `O máximo é ${max}.`))
    .default(fallback)
    .meta({ override: { type: 'integer', pattern: undefined, minimum: 1, maximum: max, default: fallback } });

/** `page` from 1 and `limit` 1–100, default 15 (contract §3). */
export const paging = z.object({ page: whole(1, 1_000_000), limit: whole(15, 100) });
