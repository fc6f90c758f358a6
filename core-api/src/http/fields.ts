import { z } from 'zod';
import { parsePort } from '../rules/port';

/** A port as a number or as digits (contract §3); empty text and null mean none. */
export const optionalPort = (sentence: string) =>
  z.preprocess(
    (value) => (value === '' ? null : (parsePort(value) ?? value)),
    z.int(sentence).min(1, sentence).max(65_535, sentence).nullish(),
  );

/** Trimmed text of 1 to `max` characters. */
export const requiredText = (max: number, required: string, long: string) =>
  z.string(required).trim().min(1, required).max(max, long);

/** Trimmed text of up to `max` characters; empty text and null mean none. */
export const optionalText = (max: number, long: string) =>
  z
    .string(long)
    .trim()
    .max(max, long)
    .nullish()
    .transform((text) => (text === '' ? null : text));

/** `{id}` of a path; text that is no id of ours finds nothing. */
export const idParams = z.object({ id: z.uuid() });
