import { z } from 'zod';
import { parseAddressBlock } from '../../net/address';
import { parsePort } from '../../net/host-port';
import { parseLabel, reservedLabels } from '../../net/hostname';
import { hasInvisibleCharacter } from '../../text/invisible';
import { httpMessages } from '../http.messages';

/**
 * Returns a function for `.transform` that replaces a text by the result of `parse`. If `parse` returns undefined, the
 * text is refused.
 */
export const parseWith =
  <Parsed>(parse: (text: string) => Parsed | undefined, message: string) =>
  (text: string, context: z.RefinementCtx): Parsed => {
    const parsed = parse(text);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };

/** A port as a number or as digits (contract §3); empty text and null mean no port. */
export const optionalPort = (message: string) =>
  z.preprocess(
    (value) => (value === '' ? null : (parsePort(value) ?? value)),
    wholeNumber(1, 65_535, message).nullish(),
  );

/** Trimmed text of 1 to `max` characters of any kind, with a message for a missing and for a longer text. */
export const trimmedText = (max: number, missing: string, tooLong: string) =>
  z.string(missing).trim().min(1, missing).max(max, tooLong);

/** Trimmed text of 1 to `max` visible characters. */
export const requiredText = (max: number, missing: string, tooLong: string) =>
  trimmedText(max, missing, tooLong).refine((text) => !hasInvisibleCharacter(text), httpMessages.invisible);

/** Trimmed text of up to `max` characters; empty text and null mean no text. */
export const optionalText = (max: number, message: string) =>
  z
    .string(message)
    .trim()
    .max(max, message)
    .nullish()
    .transform((text) => (text === '' ? null : text));

export const wholeNumber = (min: number, max: number, message: string) =>
  z.int(message).min(min, message).max(max, message);

export const idParams = z.object({ id: z.uuid() });

/** The parameter `{subdomain}` of a path, which is a label or an id. */
export const subdomainParams = z.object({
  subdomain: z
    .string()
    .max(63)
    .refine((name) => !name.includes('\0')),
});

/** IP addresses and CIDR blocks from which a credential may be used (contract §3), without duplicates. */
export const allowedIpList = (message: string) =>
  z
    .array(z.string(message).transform(parseWith(parseAddressBlock, message)), message)
    .max(500, message)
    .transform((entries) => [...new Set(entries)]);

/** A list of ids without duplicates; null stands for all. @param idMessage message for a text that is not an id */
export const idList = (idMessage: string, message: string) =>
  z
    .array(z.uuid(idMessage), message)
    .max(500, message)
    .transform((ids) => [...new Set(ids)])
    .nullable();

/** An instant in any time zone, converted to UTC. */
export const instant = (message: string) =>
  z.iso.datetime({ offset: true, error: message }).transform((text) => new Date(text).toISOString());

/** Instant up to the year 9999 at which a credential expires, converted to UTC; null if it never expires. */
export const expiry = (message: string) =>
  instant(message)
    .refine((text) => /^\d{4}-/.test(text), message)
    .nullable();

/** Body of a rotation with the time for which the old secret stays valid, at most a week. */
export const rotationBody = (message: string) => z.object({ graceSeconds: wholeNumber(0, 604_800, message) });

/** A host label in canonical form that is not reserved for the installation (contract §3). */
export const hostLabel = (labelMessage: string, reservedMessage: string) =>
  z.string(labelMessage).transform((text, context) => {
    const label = parseLabel(text);
    if (label && !reservedLabels.has(label)) return label;
    context.addIssue({ code: 'custom', message: label ? reservedMessage : labelMessage });
    return z.NEVER;
  });

/** Objects whose invalid fields get separate messages, such as `s3.bucket`. Any other object gets one message. */
export const objectsWithFieldMessages = z.registry();

/**
 * Returns a function for `.superRefine` that validates the whole value with `form`. With `evenIfFieldsFailed` zod also
 * calls the function if a field is invalid, so that every invalid field is in one response.
 */
export const addFormIssues =
  (form: z.ZodType) =>
  (value: unknown, context: z.RefinementCtx): void => {
    for (const { path, message } of form.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message });
  };
export const evenIfFieldsFailed = { when: () => true };
