import { z } from 'zod';
import { parseLabel, reservedLabels } from '../net/hostname';
import { parsePort } from '../net/port';
import { hasInvisible } from '../validation/invisible';
import { httpMessages } from './http.messages';

/** A port as a number or as digits (contract §3); empty text and null mean no port. */
export const optionalPort = (message: string) =>
  z.preprocess(
    (value) => (value === '' ? null : (parsePort(value) ?? value)),
    z.int(message).min(1, message).max(65_535, message).nullish(),
  );

/** Trimmed text of 1 to `max` characters. */
export const requiredText = (max: number, required: string, long: string) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(max, long)
    .refine((text) => !hasInvisible(text), httpMessages.invisible);

/** Trimmed text of up to `max` characters; empty text and null mean no text. */
export const optionalText = (max: number, long: string) =>
  z
    .string(long)
    .trim()
    .max(max, long)
    .nullish()
    .transform((text) => (text === '' ? null : text));

/** A boolean field that cannot be null. */
export const flag = z.boolean(httpMessages.flag);

/** The parameter `{id}` of a path. */
export const idParams = z.object({ id: z.uuid() });

/** A host label in canonical form that is not reserved for the installation (contract §3). */
export const hostLabel = (label: string, reserved: string) =>
  z.string(label).transform((text, context) => {
    const canonical = parseLabel(text);
    if (canonical && !reservedLabels.has(canonical)) return canonical;
    context.addIssue({ code: 'custom', message: canonical ? reserved : label });
    return z.NEVER;
  });

/** Objects of a body whose fields a refusal names separately, as `s3.bucket`. Other objects are named as a whole. */
export const namedByField = z.registry();

/**
 * For `.superRefine`: validates the whole value with `form` and adds its issues to those of the fields. With
 * `evenIfFieldsFailed` it runs although a field failed, so that one response names every invalid field.
 */
export const addFormIssues =
  (form: z.ZodType) =>
  (value: unknown, context: z.RefinementCtx): void => {
    for (const { path, message } of form.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message });
  };
export const evenIfFieldsFailed = { when: () => true };
