import type { Request } from 'express';
import { z } from 'zod';
import { RuleError } from '../errors';
import { namedByField } from './fields';
import { httpMessages } from './http.messages';

const { wrongType, minimum, maximum } = httpMessages.field;

/** The message of an issue whose schema has no message of its own. */
const defaultMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return wrongType[issue.expected] ?? httpMessages.field.invalid;
  if (issue.code === 'invalid_value') return httpMessages.field.oneOf(issue.values.join(', '));
  if (issue.code === 'too_small') return minimum(issue.minimum, issue.origin);
  if (issue.code === 'too_big') return maximum(issue.maximum, issue.origin);
  return httpMessages.field.invalid;
};
z.config({ localeError: defaultMessage });

/** The first message of each field, by the names of the request body. */
function messagesByField(schema: z.ZodType, error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const [name = '', inner] = path.map(String);
    const field = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
    const isNamed = inner !== undefined && field !== undefined && namedByField.has(field);
    fields[isNamed ? `${name}.${inner}` : name] ??= message;
  }
  return fields;
}

/** Half of a surrogate pair, which JSON can escape but UTF-8 cannot encode. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns why a database cannot store the text; null if it can. PostgreSQL stores no NUL. */
function storageError(text: string): string | null {
  if (text.includes('\0')) return httpMessages.nul;
  return LONE_SURROGATE.test(text) ? httpMessages.incompleteCharacter : null;
}

/**
 * The first `storageError` of a text anywhere in `value`. The search is not recursive, because JSON may be nested
 * deeply.
 */
function findStorageError(value: unknown): string | null {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      const error = storageError(next);
      if (error !== null) return error;
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, child] of Object.entries(next)) pending.push(name, child);
    }
  }
  return null;
}

/** Refuses texts that a database would not store as they are. @throws RuleError invalid, at each field */
function refuseUnstorableTexts(data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(data)) {
    const error = findStorageError(value);
    if (error !== null) fields[name] = error;
  }
  const [message] = Object.values(fields);
  if (message !== undefined) throw new RuleError('invalid', message, { fields });
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    refuseUnstorableTexts(result.data);
    return result.data;
  }
  const fields = messagesByField(schema, result.error);
  throw new RuleError('invalid', result.error.issues[0]?.message ?? httpMessages.invalid, { fields });
}

/** A malformed id names no entity: 404, not 400 (contract §2). */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success && findStorageError(result.data) === null) return result.data;
  throw new RuleError('notFound', httpMessages.notFound);
}

/** A parameter that is sent twice arrives as a list, which no schema accepts. The refusal names the reason. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: Request['query']): z.output<Schema> {
  const result = schema.safeParse(query);
  const name = result.error?.issues.map(({ path }) => String(path[0])).find((field) => Array.isArray(query[field]));
  if (name === undefined) return parse(schema, query);
  throw new RuleError('invalid', httpMessages.repeated, { fields: { [name]: httpMessages.repeated } });
}

/** A missing body counts as an empty object. JSON that is not an object is refused. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown = {}): z.output<Schema> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return parse(schema, value);
  throw new RuleError('invalid', httpMessages.noObject);
}

/**
 * The version in `If-Match`; undefined if the header is missing or `*`. A malformed version becomes NaN, which equals
 * no version, so that the change is refused.
 */
export function parseIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Number(/^\s*"(\d{1,9})"\s*$/.exec(header)?.[1] ?? Number.NaN);
}
