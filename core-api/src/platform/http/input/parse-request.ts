import type { Request } from 'express';
import { z } from 'zod';
import { RuleError } from '../../errors/rule-error';
import { httpMessages } from '../http.messages';
import { objectsWithFieldMessages } from './fields';

const { wrongType, minimum, maximum } = httpMessages.field;

/** Returns the message of an issue whose schema defines no message. */
const getDefaultMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return wrongType[issue.expected] ?? httpMessages.field.invalid;
  if (issue.code === 'invalid_value') return httpMessages.field.oneOf(issue.values.join(', '));
  if (issue.code === 'too_small') return minimum(issue.minimum, issue.origin);
  if (issue.code === 'too_big') return maximum(issue.maximum, issue.origin);
  return httpMessages.field.invalid;
};
z.config({ localeError: getDefaultMessage });

/** Returns the first message by field. A field of an object in `objectsWithFieldMessages` is named like `s3.bucket`. */
function listMessagesByField(schema: z.ZodType, error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const [name = '', inner] = path.map(String);
    const field = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
    const hasMessagePerField = inner !== undefined && field !== undefined && objectsWithFieldMessages.has(field);
    fields[hasMessagePerField ? `${name}.${inner}` : name] ??= message;
  }
  return fields;
}

/** A lone surrogate can be escaped in JSON, but UTF-8 cannot encode it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the message for a text that a database cannot store, otherwise null. PostgreSQL stores no NUL. */
function describeStorageError(text: string): string | null {
  if (text.includes('\0')) return httpMessages.nul;
  return LONE_SURROGATE.test(text) ? httpMessages.incompleteCharacter : null;
}

/** Finds the first storage error in `value`. The search is not recursive, because JSON may be nested deeply. */
function findStorageError(value: unknown): string | null {
  const pendingValues = [value];
  while (pendingValues.length > 0) {
    const next = pendingValues.pop();
    if (typeof next === 'string') {
      const error = describeStorageError(next);
      if (error !== null) return error;
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, child] of Object.entries(next)) pendingValues.push(name, child);
    }
  }
  return null;
}

/** Refuses texts that a database cannot store unchanged. @throws RuleError `invalid`, with a message for each field */
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
  const fields = listMessagesByField(schema, result.error);
  throw new RuleError('invalid', result.error.issues[0]?.message ?? httpMessages.invalid, { fields });
}

/** Parses the parameters of a path. A malformed id is answered with 404, because it names no entity (contract §2). */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success && findStorageError(result.data) === null) return result.data;
  throw new RuleError('notFound', httpMessages.notFound);
}

/** Parses a query. A repeated parameter arrives as a list, which no schema accepts, and has a separate message. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: Request['query']): z.output<Schema> {
  const result = schema.safeParse(query);
  const name = result.error?.issues.map(({ path }) => String(path[0])).find((field) => Array.isArray(query[field]));
  if (name === undefined) return parse(schema, query);
  throw new RuleError('invalid', httpMessages.repeated, { fields: { [name]: httpMessages.repeated } });
}

/** Parses a body. A missing body counts as an empty object, and JSON that is not an object is refused. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown = {}): z.output<Schema> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return parse(schema, value);
  throw new RuleError('invalid', httpMessages.noObject);
}

/**
 * Returns the version in `If-Match`, or undefined if the header is missing or `*`. A malformed version becomes NaN,
 * which equals no version, so the change is refused.
 */
export function parseIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Number(/^\s*"(\d{1,9})"\s*$/.exec(header)?.[1] ?? Number.NaN);
}
