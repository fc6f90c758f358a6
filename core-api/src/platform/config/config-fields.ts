import { z } from 'zod';

/* Schemas of environment variables. Their messages are shown on the terminal after the name of the variable. */

/** A comma-separated list, by default empty. */
export const list = () =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    );

export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'deve ser um endereço http(s)' })
  .transform((url) => url.replace(/\/+$/, ''));

export const domain = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, 'deve ser um nome de domínio');

export const name = z.string().trim().min(1, 'não pode ser vazio').max(100, 'pode ter no máximo 100 caracteres');

export const wholeNumber = (min: number, max: number, typeMessage = 'deve ser um número') => {
  const range = `deve estar entre ${min} e ${max}`;
  return z.coerce.number(typeMessage).int('deve ser um número inteiro').min(min, range).max(max, range);
};

export const port = (fallback: number) => wholeNumber(1, 65_535, 'deve ser um número de porta').default(fallback);

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };
const MAX_DURATION_S = 12 * 3600;

/** Parses a duration such as `30s`, `10m` or `12h` (at most 12 hours) to seconds. @param example in the message */
export const duration = (fallback: string, example: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}[smh]$/, `deve ser uma duração como ${example}`)
    .default(fallback)
    .transform((text) => Number(text.slice(0, -1)) * (SECONDS[text.slice(-1)] ?? 0))
    .refine((seconds) => seconds <= MAX_DURATION_S, 'deve ser de no máximo 12h');
