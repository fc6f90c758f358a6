import { z } from 'zod';
import { parseLabel, reservedLabels } from '../rules/hostname';
import { parsePort } from '../rules/port';
import { httpMessages } from './http.messages';

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

/** A boolean that has no empty value. */
export const flag = z.boolean(httpMessages.flag);

/** `{id}` of a path; anything but a UUID finds nothing. */
export const idParams = z.object({ id: z.uuid() });

/** A host label in canonical form that the installation does not keep for itself (contract §3). */
export const hostLabel = (label: string, reserved: string) =>
  z.string(label).transform((text, context) => {
    const canonical = parseLabel(text);
    if (canonical && !reservedLabels.has(canonical)) return canonical;
    context.addIssue({ code: 'custom', message: canonical ? reserved : label });
    return z.NEVER;
  });

/**
 * For `.superRefine`: adds what `form` finds in the whole value to what the fields found in themselves. Together with
 * `always` it does so although a field failed, so that one answer names every bad field.
 */
export const alsoInForm =
  (form: z.ZodType) =>
  (value: unknown, context: z.RefinementCtx): void => {
    for (const { path, message } of form.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message });
  };
export const always = { when: () => true };
